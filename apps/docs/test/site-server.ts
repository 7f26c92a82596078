/** The built site, from a server of static files, as any of them would serve it. */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The file for a path: `/a` is `a.html`, and a folder its `index.html`; null when there is none. */
export function fileAt(folder: string, path: string): string | null {
  const file = join(folder, normalize(decodeURIComponent(path)))
  const candidates = [file, `${file}.html`, join(file, 'index.html')]
  return candidates.find((one) => existsSync(one) && statSync(one).isFile()) ?? null
}

export async function serveSite(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer(({ url = '/' }, response) => {
    const file = fileAt(folder, new URL(url, 'http://localhost').pathname)
    if (file === null) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    return response.end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
