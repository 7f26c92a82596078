/** A client's receiver of back-channel logout tokens. */

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** `down`: the connection is cut before anything is read. `hang`: it is read, and never answered. */
export type Mood = 'up' | 'down' | 'hang'

export interface Receiver {
  uri(client_id: string): string
  mood(mood: Mood): void
  /** By session and client: the logout tokens that were read, and how many of them were answered with 2xx. */
  read(sid: string, client_id: string): number
  confirmed(sid: string, client_id: string): number
}

export async function receiver(): Promise<Receiver> {
  let mood: Mood = 'up'
  const seen = { read: new Map<string, number>(), confirmed: new Map<string, number>() }
  const note = (kind: keyof typeof seen, which: string) =>
    seen[kind].set(which, (seen[kind].get(which) ?? 0) + 1)
  const server = createServer(async (request, response: ServerResponse) => {
    if (mood === 'down') return void request.socket.destroy()
    let body = ''
    for await (const chunk of request) body += chunk
    const [, claims = ''] = (new URLSearchParams(body).get('logout_token') ?? '').split('.')
    const { sid, aud } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    note('read', `${sid} ${aud}`)
    if (mood !== 'up') return
    note('confirmed', `${sid} ${aud}`)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const count = (kind: keyof typeof seen) => (sid: string, client_id: string) =>
    seen[kind].get(`${sid} ${client_id}`) ?? 0
  return {
    uri: (client_id) => `http://127.0.0.1:${port}/${client_id}`,
    mood(next) {
      mood = next
    },
    read: count('read'),
    confirmed: count('confirmed'),
  }
}
