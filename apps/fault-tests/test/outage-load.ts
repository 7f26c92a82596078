/** Clients at work while the storage goes away and comes back, and the answers they get. */

import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@ostiary/test-kit/eventually'
import { expect } from 'vitest'
import {
  type Answer,
  authorizeUrl,
  backend,
  codeForm,
  newCode,
  post,
  refreshForm,
  send,
  signIn,
  textOf,
  userinfo,
} from './client.ts'
import { type Ledger, newLedger, noteRedeemed, noteSuccessor } from './ledger.ts'

export const KINDS = [
  'authorize',
  'redeem',
  'refresh',
  'client_credentials',
  'introspect',
  'userinfo',
] as const
export type Kind = (typeof KINDS)[number]

export interface Tally {
  /** Answers of a healthy server. */
  served: Record<Kind, number>
  /** 503 with Retry-After, or `temporarily_unavailable` in the redirect to the client. */
  unavailable: Record<Kind, number>
  /** Codes whose answer was lost with the database: presented again, they are a replay. */
  codes_lost: number
  sign_ins: number
  /** Refresh tokens that a client has received, and that the server does not know any more. */
  forgotten: number
}

export interface Clients {
  tally: Tally
  /** An access token that must stay valid throughout. */
  access_token: string
  /** The refresh tokens that clients hold and have not presented. */
  held: string[]
  ledger: Ledger
  /** Whether the storage may lose what it has answered; then a refresh token may be unknown, and is counted. */
  may_forget?: boolean
  /** Between two requests of a client whose tokens an outage could lose; 10 when absent. */
  pause_ms?: number
  /** Signs Ann in once the storage is available. @returns Her cookies. */
  signIn(): Promise<string>
}

const none = (): Record<Kind, number> =>
  Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
export const newTally = (): Tally => ({
  served: none(),
  unavailable: none(),
  codes_lost: 0,
  sign_ins: 0,
  forgotten: 0,
})

/** Whether the answer says that the storage is unavailable; every other error is a fault. */
function isUnavailable(answer: Answer): boolean {
  const location = answer.headers.get('location')
  if (location !== null) return new URL(location).searchParams.get('error') === 'temporarily_unavailable'
  return isRefusal(answer)
}

/** 503 with Retry-After: the storage is unavailable. */
export const isRefusal = ({ status, headers, body }: Answer): boolean =>
  status === 503 && body.error === 'temporarily_unavailable' && /^\d+$/.test(headers.get('retry-after') ?? '')

/** Works until it is stopped; stopping resolves when every client has finished its current request. */
export function startClients(issuer: string, clients: Clients) {
  const { tally, ledger, held, pause_ms = 10 } = clients
  let stopping = false

  /** Repeats the request until the answer is not about the storage. */
  async function insist(kind: Kind, ask: () => Promise<Answer>): Promise<{ answer: Answer; again: boolean }> {
    for (let again = false; ; again = true) {
      const answer = await ask()
      if (!isUnavailable(answer)) return { answer, again }
      tally.unavailable[kind] += 1
      await pause(50)
    }
  }
  const token = (form: Record<string, string>) => post(`${issuer}/oauth/token`, form)
  const fault = (kind: Kind, { status, headers, body }: Answer) =>
    ledger.faults.push(`${kind}: ${status} ${headers.get('location') ?? JSON.stringify(body)}`)
  const served = (kind: Kind, right: boolean, answer: Answer): boolean => {
    if (right) tally.served[kind] += 1
    else fault(kind, answer)
    return right
  }

  async function newGrants() {
    let cookie = await clients.signIn()
    while (!stopping) {
      const { answer } = await insist('authorize', () => send(authorizeUrl(issuer), { headers: { cookie } }))
      const back = new URL(answer.headers.get('location') ?? 'none:', issuer)
      const code = back.searchParams.get('code')
      if (code === null && back.origin === new URL(issuer).origin) {
        // The session was lost with Redis.
        cookie = await clients.signIn()
        tally.sign_ins += 1
      } else if (served('authorize', code !== null, answer)) await redeem(code ?? '')
      await pause(pause_ms)
    }
  }

  async function redeem(code: string) {
    const { answer, again } = await insist('redeem', () => token(codeForm(code)))
    if ((again || clients.may_forget) && answer.body.error === 'invalid_grant') {
      tally.codes_lost += 1
      return
    }
    if (!served('redeem', answer.status === 200, answer)) return
    const refresh_token = textOf(answer, 'refresh_token')
    noteRedeemed(ledger, code, refresh_token)
    held.push(refresh_token)
  }

  async function refreshing() {
    while (!stopping) {
      const presented = held.shift()
      if (presented !== undefined) await refresh(presented)
      await pause(pause_ms)
    }
  }

  async function refresh(presented: string) {
    const { answer } = await insist('refresh', () => token(refreshForm(presented)))
    if (clients.may_forget && answer.body.error === 'invalid_grant') {
      tally.forgotten += 1
      return
    }
    if (!served('refresh', answer.status === 200, answer)) return
    const next = textOf(answer, 'refresh_token')
    noteSuccessor(ledger, presented, next)
    held.push(next)
  }

  async function using(kind: Kind, ask: () => Promise<Answer>, right: (answer: Answer) => boolean) {
    while (!stopping) {
      const { answer } = await insist(kind, ask)
      served(kind, right(answer), answer)
      // They change nothing that an outage could lose: the CPU is for those that do.
      await pause(20)
    }
  }
  const { access_token } = clients
  const is200 = ({ status }: Answer) => status === 200
  const own = { ...backend, grant_type: 'client_credentials' }
  const introspect = () => post(`${issuer}/oauth/introspect`, { ...backend, token: access_token })

  const working = Promise.all([
    // One alone: when it is served again, no other client can be in the middle of a sign-in.
    newGrants(),
    refreshing(),
    refreshing(),
    refreshing(),
    using('client_credentials', () => token(own), is200),
    using('introspect', introspect, ({ body }) => body.active === true),
    using('userinfo', () => userinfo(issuer, access_token), is200),
  ])
  working.catch(() => {})
  return {
    working,
    async stop() {
      stopping = true
      await working
      for (const presented of held.splice(0)) await refresh(presented)
    },
  }
}

/** Signs Ann in, and starts clients that work for her. */
export async function startWork(issuer: string, { may_forget = false } = {}) {
  const tally = newTally()
  const ledger = newLedger()
  const ann = await signIn(issuer)
  const own = codeForm(await newCode(ann, issuer, { client_id: 'backend' }), backend)
  const access_token = textOf(await post(`${issuer}/oauth/token`, own), 'access_token')
  const load = startClients(issuer, {
    tally,
    ledger,
    access_token,
    held: [],
    may_forget,
    signIn: () => signInAtLast(issuer),
  })
  return { ...load, tally, ledger }
}

/** Signs Ann in; repeats it if the storage goes away meanwhile. @returns Her cookies. */
async function signInAtLast(issuer: string): Promise<string> {
  const ann = await eventually(() => signIn(issuer), { seconds: 180 })
  return [...ann.cookies].map((pair) => pair.join('=')).join('; ')
}

export const ALL: Kind[][] = KINDS.map((kind) => [kind])

/** Resolves when the sum of these has grown by three. */
export async function grown(counts: Record<Kind, number>, groups: Kind[][], faults: string[]): Promise<void> {
  const sum = (kinds: Kind[]) => kinds.reduce((total, kind) => total + counts[kind], 0)
  const goals = groups.map((kinds) => [kinds, sum(kinds) + 3] as const)
  const reached = () => faults.length > 0 || goals.every(([kinds, goal]) => sum(kinds) >= goal)
  await eventually(reached, { seconds: 180 })
  expect(faults).toEqual([])
}

/** All answers of a kind. */
export const total = (counts: Record<Kind, number>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)
