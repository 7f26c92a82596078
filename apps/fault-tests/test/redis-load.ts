/** Clients whose requests need Redis, in several realms, while a Redis fails over. */

import { setTimeout as pause } from 'node:timers/promises'
import { hiddenField } from '@ostiary/test-kit/browser'
import type { Page, Person } from '@ostiary/test-kit/person'
import {
  authorizeUrl,
  CALLBACK,
  QUICK_KEYS,
  send,
  signIn,
  clients as trustedClients,
  users,
} from './client.ts'
import { isRefusal } from './outage-load.ts'

const GRACE_SECONDS = 60

/** @param realms Each has the same clients and users. `asks` is a client that needs consent. */
export const redisConfig = (realms: string[]) => (origin: string) => {
  const clients = [...trustedClients, { client_id: 'asks', redirect_uris: [CALLBACK] }]
  const byId = <T>(value: T) => Object.fromEntries(realms.map((realm) => [realm, value]))
  return {
    app: { url: origin },
    oidc: {
      keys: QUICK_KEYS,
      routes: { realms: 'path' },
      realms: byId({}),
      tokens: { refresh_token_grace: GRACE_SECONDS },
      clients: { registration: { enabled: true } },
      throttle: { register: 1_000_000, registrations_per_day: 1_000_000 },
    },
    realms: byId({ clients, users }),
  }
}

/** One realm, and what its clients were answered. */
export interface RealmTally {
  issuer: string
  /** Answers of a healthy server: a consent approved, a client registered. */
  served: number
  /** 503, or `temporarily_unavailable` in the redirect to the client. */
  unavailable: number
  /** Forms for consent that the server no longer knew, although it had shown them and had not answered 503. */
  forms_forgotten: number
  /** Forms whose first answer was 503: the server may have taken them. */
  forms_uncertain: number
  /** Forms that were accepted a second time. */
  forms_accepted_twice: number
  /** Sessions that the server no longer knew. */
  sessions_forgotten: number
  slowest_ms: number
  /** Answers that no client may receive. */
  faults: string[]
}

export const newRealmTally = (issuer: string): RealmTally => ({
  issuer,
  served: 0,
  unavailable: 0,
  forms_forgotten: 0,
  forms_uncertain: 0,
  forms_accepted_twice: 0,
  sessions_forgotten: 0,
  slowest_ms: 0,
  faults: [],
})

/** A session is asked for consent 60 times a minute at most. */
const CONSENT_INTERVAL_MS = 1100
const PEOPLE = 2

/** Works in the realm until it is stopped. */
export function startRealm(tally: RealmTally) {
  const { issuer } = tally
  let stopping = false
  const fault = (what: string, { status, url, html }: Page) =>
    tally.faults.push(`${what}: ${status} ${url} ${html.slice(0, 200)}`)

  async function timed<T>(ask: () => Promise<T>): Promise<T> {
    const began = performance.now()
    const answer = await ask()
    tally.slowest_ms = Math.max(tally.slowest_ms, Math.round(performance.now() - began))
    return answer
  }

  /** Repeats the request until the answer is not about the storage. */
  async function insist(ask: () => Promise<Page>): Promise<{ page: Page; again: boolean }> {
    for (let again = false; ; again = true) {
      const page = await timed(ask)
      if (!isUnavailable(page)) return { page, again }
      tally.unavailable += 1
      await pause(50)
    }
  }

  async function signedIn(): Promise<Person> {
    for (;;) {
      const ann = await timed(() => signIn(issuer)).catch((error: Error) => error)
      if (!(ann instanceof Error)) return ann
      tally.unavailable += 1
      await pause(50)
    }
  }

  async function consenting() {
    let ann = await signedIn()
    const request = authorizeUrl(issuer, { client_id: 'asks', prompt: 'consent' })
    while (!stopping) {
      const { page } = await insist(() => ann.open(request))
      if (isLogin(page)) {
        tally.sessions_forgotten += 1
        ann = await signedIn()
      } else if (hiddenField(page.html, 'auth_token') === '') fault('a form for consent', page)
      else await approve(ann, page)
      await pause(CONSENT_INTERVAL_MS)
    }
  }

  async function approve(ann: Person, form: Page) {
    const { page, again } = await insist(() => ann.submit(form))
    if (hasCode(page)) {
      tally.served += 1
      if (hasCode(await timed(() => ann.submit(form)))) tally.forms_accepted_twice += 1
    } else if (page.status !== 403 && !isLogin(page)) fault('an approval', page)
    else if (again) tally.forms_uncertain += 1
    else tally.forms_forgotten += 1
  }

  async function registering() {
    const body = JSON.stringify({ redirect_uris: [CALLBACK] })
    const headers = { 'content-type': 'application/json' }
    while (!stopping) {
      const answer = await timed(() => send(`${issuer}/oauth/register`, { method: 'POST', headers, body }))
      if (answer.status === 201) tally.served += 1
      else if (isRefusal(answer)) tally.unavailable += 1
      else tally.faults.push(`a registration: ${answer.status} ${JSON.stringify(answer.body)}`)
      await pause(50)
    }
  }

  const working = Promise.all([registering(), ...Array.from({ length: PEOPLE }, consenting)])
  working.catch(() => {})
  return {
    working,
    async stop() {
      stopping = true
      await working
    },
  }
}

const isUnavailable = ({ status, url }: Page): boolean =>
  status === 503 || url.searchParams.get('error') === 'temporarily_unavailable'
const hasCode = ({ url }: Page): boolean => url.searchParams.has('code')
const isLogin = ({ html }: Page): boolean => html.includes('type="password"')
