/** The preview as a server of its own on the loopback address: no request to another server reaches it. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPreview, type PreviewOptions } from './preview.js'

/**
 * Ends with the process, and keeps no process running.
 * @param port When it is taken, another one is.
 * @returns The address of the list of all pages.
 * @throws ThemeError when the theme is wrong.
 */
export async function servePreview(options: PreviewOptions, port: number): Promise<string> {
  const preview = await createPreview(options)
  const server = createServer((request, response) => {
    answer(preview, request, response).catch(() => response.writeHead(500).end())
  })
  server.on('connection', (socket) => socket.unref())
  const listen = (at: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(at, '127.0.0.1', () => {
        server.off('error', reject)
        resolve()
      })
    })
  await listen(port).catch(() => listen(0))
  const { port: bound } = server.address() as AddressInfo
  server.unref()
  return `http://localhost:${bound}/`
}

async function answer(
  preview: (request: Request) => Promise<Response>,
  { url = '/', method = 'GET' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, headers, body } = await preview(new Request(new URL(url, 'http://localhost'), { method }))
  response.writeHead(status, Object.fromEntries(headers))
  response.end(body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer()))
}
