/** An audit with rows, a receiver on this machine, sinks, and a clock. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memoryAuditStore } from '@ostiary/audit'
import { createProvider } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { onTestFinished } from 'vitest'
import { type NewRow, newRow } from '../../audit/src/row.js'
import { sealRows } from '../../audit/src/seals.js'
import {
  createSinks,
  memorySinkStore,
  type SinkEvent,
  type SinkOptions,
  type SinkSettings,
} from '../src/index.js'

export const REALM = 'default'
/** The beginning of a minute. */
export const NOW = 1_764_000_000
export const SECRET = `whsec_${Buffer.from('a secret of more than 24 bytes').toString('base64')}`

/** What a receiver got. */
interface Received {
  path: string
  headers: Record<string, string>
  body: string
}

type Answer = (request: Received, response: ServerResponse, message: IncomingMessage) => void

/** A receiver that keeps what it gets. It accepts everything, or answers as it is told. */
export async function receiver() {
  const received: Received[] = []
  const state: { answer: Answer } = { answer: (_, response) => void response.writeHead(202).end() }
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const headers = message.headers as Record<string, string>
    const request = { path: message.url ?? '', headers, body: Buffer.concat(chunks).toString() }
    received.push(request)
    state.answer(request, response, message)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ostiary`
  const ids = () => received.map(({ headers }) => headers['webhook-id'])
  return {
    url,
    received,
    ids,
    state,
    status: (code: number) => (state.answer = (_, r) => void r.writeHead(code).end()),
  }
}

export interface PlaceOptions extends Partial<Omit<SinkOptions, 'sinks'>> {
  audit?: SinkOptions['audit']
}

/** A provider with its audit; `sinksFor` is a server with these sinks. */
export function sinkPlace({ audit: store = memoryAuditStore(), ...options }: PlaceOptions = {}) {
  let now = NOW
  const clock = () => now
  const events: SinkEvent[] = []
  const errors: unknown[] = []
  const provider = createProvider({
    oidc: { issuer: 'https://id.example.com', keys: { algorithms: ['ES256'] } },
    secret: 'a secret of more than 32 characters, for tests',
    storage: memoryStorage(),
    accounts: { find: async () => null },
    interactions: { login: async () => new Response('') },
    on_event: () => {},
    now: clock,
  })
  /** Those of one realm, for all. */
  const keysOf = async () => (await provider.manage(REALM)).keys
  const cursors = options.store ?? memorySinkStore(store)
  /** Rows, sealed together. @returns Their ids. */
  async function sealed(...rows: Partial<NewRow>[]): Promise<string[]> {
    const made = rows.map((row) => newRow({ ...ROW, time: now, ...row }))
    await store.put(made)
    for (const realm of new Set(made.map((row) => row.realm)))
      await sealRows({ store, realm, now: now + 180, keys: keysOf })
    return made.map(({ audit_id }) => audit_id)
  }
  return {
    store,
    cursors,
    events,
    errors,
    provider,
    keysOf,
    clock,
    sealed,
    at(seconds: number) {
      now = NOW + seconds
    },
    async jwks() {
      const url = 'https://id.example.com/.well-known/jwks.json'
      return (await provider.handle('oidc.jwks', new Request(url), { realm: REALM })).json()
    },
    /** A server. Its cursors begin at once. */
    async server(sinks: SinkSettings[], realms: string[] = [REALM]) {
      const made = createSinks({
        sinks,
        audit: store,
        fetch: () => fetch,
        keysOf,
        now: clock,
        on_event: (event) => void events.push(event),
        failed: (error) => void errors.push(error),
        ...options,
        store: cursors,
      })
      onTestFinished(() => made.stop())
      const deliver = async () => {
        made.start(realms)
        await made.settled()
      }
      await deliver()
      return { ...made, start: () => made.start(realms), deliver }
    },
  }
}

const ROW = {
  realm: REALM,
  type: 'consent.denied',
  outcome: 'done',
  actor: 'sub:ann-1',
  sub: 'ann-1',
} as const

export const webhook = (url: string, more: Partial<SinkSettings> = {}): SinkSettings => ({
  url,
  format: 'json',
  secret: SECRET,
  allow_private: true,
  ...more,
})
