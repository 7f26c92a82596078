/** The demo client of try-out mode: static files, a client that runs in the browser. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readOnly } from './responses.js'

/** Null when the path is none of the demo's. */
export type Demo = (request: Request, url: URL) => Promise<Response> | null

const FILES: Record<string, { file: string; type: string }> = {
  '/': { file: 'landing.html', type: 'text/html; charset=utf-8' },
  '/demo': { file: 'demo.html', type: 'text/html; charset=utf-8' },
  '/demo/demo.js': { file: 'demo.js', type: 'text/javascript; charset=utf-8' },
  '/demo/oidc-client.js': { file: 'oidc-client.js', type: 'text/javascript; charset=utf-8' },
  '/demo/claims.js': { file: 'claims.js', type: 'text/javascript; charset=utf-8' },
  '/demo/demo.css': { file: 'demo.css', type: 'text/css; charset=utf-8' },
}

const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `connect-src 'self'`,
  `form-action 'self'`,
  `frame-ancestors 'none'`,
  `base-uri 'none'`,
].join('; ')

/** @param issuer The demo's own origin too: it lives nowhere else. */
export async function createDemo(issuer: string): Promise<Demo> {
  const { host } = new URL(issuer)
  const folder = publicFolder()
  const contents = new Map<string, { body: string; type: string }>()
  for (const [path, { file, type }] of Object.entries(FILES))
    contents.set(path, { body: await readFile(join(folder, file), 'utf8'), type })

  return (request, { host: asked, pathname }) => {
    const found = contents.get(pathname)
    if (!found) return null
    const { body, type } = found
    return readOnly(request, async () => {
      // By another name of this machine, 127.0.0.1 for one, the browser would be another client with other cookies.
      if (pathname === '/demo' && asked !== host) return page(null, { location: `${issuer}/demo` })
      return page(body, { 'content-type': type })
    })
  }
}

/** By the package's name, as a server may have this module in a file of its own. */
const publicFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@ostiary/host/package.json')), 'public')

const page = (body: string | null, headers: Record<string, string>): Response =>
  new Response(body, {
    status: body === null ? 302 : 200,
    headers: {
      ...headers,
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  })
