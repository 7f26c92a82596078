/** The web server of a single-page application of ../clients. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const CLIENTS = new URL('../clients/', import.meta.url)

/** Serves the page, its program and the library. @param moved Addresses in the program that are elsewhere here. */
export async function servePages(
  folder: string,
  port: number,
  moved: Record<string, string>,
): Promise<() => Promise<unknown>> {
  const library = `file://${createRequire(import.meta.url).resolve('oidc-client-ts/package.json')}`
  const read = (path: string, base: string | URL) => readFileSync(new URL(path, base), 'utf8')
  const html = read(`${folder}/index.html`, CLIENTS)
  let app = read(`${folder}/app.js`, CLIENTS)
  for (const [from, to] of Object.entries(moved)) app = app.replaceAll(from, to)
  const files: Record<string, string> = {
    '/': html,
    '/callback': html,
    '/app.js': app,
    '/oidc-client-ts.js': read('dist/esm/oidc-client-ts.js', library),
    '/jwt-decode.js': read('../jwt-decode/build/esm/index.js', library),
  }
  const server = createServer(({ url = '/' }, response) => {
    const path = url.split('?')[0] ?? ''
    const file = files[path]
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html'
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` }).end(file)
  }).listen(port)
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}
