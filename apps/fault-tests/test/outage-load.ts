/** Clients at work while the storage goes away and comes back, and the answers they get. */

import { setTimeout as pause } from 'node:timers/promises'
import {
  type Answer,
  authorizeUrl,
  backend,
  codeForm,
  post,
  refreshForm,
  send,
  textOf,
  userinfo,
} from './client.ts'
import { type Ledger, noteRedeemed, noteSuccessor } from './ledger.ts'

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
}

export interface Clients {
  tally: Tally
  /** An access token that must stay valid throughout. */
  access_token: string
  /** The refresh tokens that clients hold and have not presented. */
  held: string[]
  ledger: Ledger
  /** Signs Ann in once the storage is available. @returns Her cookies. */
  signIn(): Promise<string>
}

const none = (): Record<Kind, number> =>
  Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
export const newTally = (): Tally => ({ served: none(), unavailable: none(), codes_lost: 0, sign_ins: 0 })

/** Whether the answer says that the storage is unavailable; every other error is a fault. */
function isUnavailable({ status, headers, body }: Answer): boolean {
  const location = headers.get('location')
  if (location !== null) return new URL(location).searchParams.get('error') === 'temporarily_unavailable'
  return (
    status === 503 &&
    body.error === 'temporarily_unavailable' &&
    /^\d+$/.test(headers.get('retry-after') ?? '')
  )
}

/** Works until it is stopped; stopping resolves when every client has finished its current request. */
export function startClients(issuer: string, clients: Clients) {
  const { tally, ledger, held } = clients
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
    }
  }

  async function redeem(code: string) {
    const { answer, again } = await insist('redeem', () => token(codeForm(code)))
    if (again && answer.body.error === 'invalid_grant') {
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
      if (presented === undefined) await pause(10)
      else await refresh(presented)
    }
  }

  async function refresh(presented: string) {
    const { answer } = await insist('refresh', () => token(refreshForm(presented)))
    if (!served('refresh', answer.status === 200, answer)) return
    const next = textOf(answer, 'refresh_token')
    noteSuccessor(ledger, presented, next)
    held.push(next)
  }

  async function using(kind: Kind, ask: () => Promise<Answer>, right: (answer: Answer) => boolean) {
    while (!stopping) {
      const { answer } = await insist(kind, ask)
      served(kind, right(answer), answer)
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
