/** A server on this computer that answers as a test wants, and a folder of settings. */

import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { onTestFinished } from 'vitest'

/** @returns Its origin. */
export async function serverOf(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server with these documents as JSON, by path; their texts may name its origin as ORIGIN. */
export const documents = async (byPath: Record<string, object>): Promise<string> => {
  const origin: string = await serverOf((request, response) => {
    const found = byPath[request.url ?? '']
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? {}).replaceAll('ORIGIN', origin))
  })
  return origin
}

export const ownFolder = async (): Promise<{ XDG_CONFIG_HOME: string }> => ({
  XDG_CONFIG_HOME: await temporaryFolder(),
})
