/** The demo client of try-out mode: static files, a client that runs in the browser. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readOnly } from './responses.js'

/** Null when the path is not one of the demo's. */
export type Demo = (request: Request, url: URL) => Promise<Response> | null

const FILES: Record<string, { file: string; type: string }> = {
  '/': { file: 'landing.html', type: 'text/html; charset=utf-8' },
  '/demo': { file: 'demo.html', type: 'text/html; charset=utf-8' },
  '/demo/demo.js': { file: 'demo.js', type: 'text/javascript; charset=utf-8' },
  '/demo/oidc-client.js': { file: 'oidc-client.js', type: 'text/javascript; charset=utf-8' },
  '/demo/claims.js': { file: 'claims.js', type: 'text/javascript; charset=utf-8' },
  '/demo/demo.css': { file: 'demo.css', type: 'text/css; charset=utf-8' },
}

/** How to get to a client of one's own; part of both pages. */
const NEXT_STEP = 'next-step.html'

const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `connect-src 'self'`,
  `form-action 'self'`,
  `frame-ancestors 'none'`,
  `base-uri 'none'`,
].join('; ')

/** @param issuer The origin of the demo too. */
export async function createDemo(issuer: string): Promise<Demo> {
  const { host } = new URL(issuer)
  const folder = publicFolder()
  const contents = new Map<string, { body: string; type: string }>()
  const nextStep = await readFile(join(folder, NEXT_STEP), 'utf8')
  for (const [path, { file, type }] of Object.entries(FILES)) {
    const text = await readFile(join(folder, file), 'utf8')
    const body = text.replace('<!-- next-step -->', () => nextStep).replaceAll('{{issuer}}', () => issuer)
    contents.set(path, { body, type })
  }

  return (request, { host: requestHost, pathname }) => {
    const content = contents.get(pathname)
    if (!content) return null
    const { body, type } = content
    return readOnly(request, async () => {
      // Under another name of this machine, such as 127.0.0.1, the redirect URI and the cookies would not match.
      if (pathname === '/demo' && requestHost !== host) return page(null, { location: `${issuer}/demo` })
      return page(body, { 'content-type': type })
    })
  }
}

/** Found by the package's name: a server may bundle this module into a file elsewhere. */
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
