/** Serves documents by https on this machine, such as Client ID Metadata Documents, below host names that end in `.localhost`. */

import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'

export interface DocumentServer {
  port: number
  /** The certificate, as a file for `NODE_EXTRA_CA_CERTS` of the server under test. */
  ca_file: string
  /** The URL of a path below one of the hosts. */
  url(host: string, path: string): string
  /** Serves this JSON at the URL from now on, or answers as the listener does. */
  put(url: string, document: object | RequestListener): void
  /** How many requests there were for the URL. */
  requests(url: string): number
  /** Refuses connections until `up` is called. */
  down(): Promise<void>
  up(): Promise<void>
  close(): Promise<void>
}

/** @param hosts Names of which each is a host of its own, such as `client.localhost`. They resolve to this machine (RFC 6761 §6.3). */
export async function documentServer(
  hosts: readonly string[],
  address = '127.0.0.1',
): Promise<DocumentServer> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Documents of a test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: hosts.map((value) => ({ type: 2, value })) },
    ],
  })
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-documents-'))
  const ca_file = join(folder, 'ca.pem')
  await writeFile(ca_file, cert)

  const documents = new Map<string, RequestListener>()
  const counts = new Map<string, number>()
  const listener: RequestListener = (request, response) => {
    const url = `https://${request.headers.host}${request.url}`
    counts.set(url, (counts.get(url) ?? 0) + 1)
    const serve = documents.get(url)
    if (serve) serve(request, response)
    else response.writeHead(404).end()
  }
  const listen = async (port: number) => {
    const listening = createServer({ cert, key }, listener).listen(port, address)
    await once(listening, 'listening')
    return listening
  }
  let server = await listen(0)
  const { port } = server.address() as AddressInfo
  const down = async () => {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }

  return {
    port,
    ca_file,
    url: (host, path) => `https://${host}:${port}${path}`,
    put(url, document) {
      const json: RequestListener = (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
      }
      documents.set(url, typeof document === 'function' ? (document as RequestListener) : json)
    },
    requests: (url) => counts.get(url) ?? 0,
    down,
    async up() {
      if (!server.listening) server = await listen(port)
    },
    async close() {
      await down()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
