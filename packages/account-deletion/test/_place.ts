/** A provider on memory storage with the built-in sign-in, whose users delete their accounts; and browsers. */

import { createProvider, personTag } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import {
  createIdentity,
  createRecoveryLink,
  type IdentityEvent,
  type IdentitySettings,
  memoryUserStores,
  setDisabled,
  type Tickets,
  type User,
  type UserInput,
  upsertUser,
} from '@ostiary/identity'
import { type MailQueue, memoryMailQueue, type OutgoingMail } from '@ostiary/identity/mail'
import { browser, hiddenField } from '@ostiary/test-kit/browser'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { type AccountDeletionOptions, createAccountDeletion } from '../src/index.js'

const PASSWORD = 'correct horse battery staple'
export const ORIGIN = 'https://id.example'
const REDIRECT_URI = 'https://app.example/cb'
const SECRET = 'a secret of this test, 32 characters'
export const DAY = 86_400
const HASH = {
  hash: async (text: string) => `plain ${text}`,
  verify: async (hash: string | null, text: string) => hash === `plain ${text}`,
  stale: () => false,
}

export interface PlaceOptions extends Partial<Pick<AccountDeletionOptions, 'realms' | 'keeps'>> {
  settings?: IdentitySettings
  /** In the place of the tickets in memory. */
  wrap?: (tickets: Tickets) => Tickets
  /** The realm mails. */
  mail?: { queue?: MailQueue }
  /** Of ann. */
  ann?: Partial<UserInput>
}

export async function place({
  realms = ['default'],
  settings = { second_factor: 'optional' },
  wrap = (tickets) => tickets,
  mail,
  ann = {},
  ...options
}: PlaceOptions = {}) {
  const clock = { now: 1_800_000_000 }
  const now = () => clock.now
  const stores = memoryUserStores()
  const { users, factors } = stores
  const tickets = wrap(stores.tickets)
  const storage = memoryStorage()
  const events: IdentityEvent[] = []
  const failures: unknown[] = []
  const sent: OutgoingMail[] = []
  const mailer = { send: async (one: OutgoingMail) => void sent.push(one) }
  const queue = mail?.queue ?? memoryMailQueue()
  const deletion = createAccountDeletion({
    realms,
    users,
    tickets,
    functions: { personTag, setDisabled },
    failed: (error) => void failures.push(error),
    now,
    ...options,
  })
  const identity = createIdentity({
    secret: SECRET,
    now,
    users,
    factors,
    tickets,
    throttle: (realm: string) => storage(realm).throttle,
    replays: (realm) => storage(realm).replays,
    passwords: HASH,
    extensions: [deletion.extension],
    ...(mail && { mail: { queue, of: () => ({ mailer, from: 'id@example.com' }) } }),
    settings: () => settings,
    on_event: (event) => void events.push(event),
  })
  const provider = createProvider({
    secret: SECRET,
    now,
    oidc: { issuer: ORIGIN },
    storage,
    accounts: identity.accounts,
    interactions: identity.interactions,
  })
  await storage('default').clients.create(
    clientRecord({
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code'],
      consent_required: false,
    }),
  )
  for (const username of ['ann', 'ben'])
    await upsertUser(
      users('default'),
      { username, password: PASSWORD, ...(username === 'ann' && ann) },
      { passwords: HASH, now },
    )
  return {
    clock,
    users: users('default'),
    tickets: tickets('default'),
    provider,
    deletion,
    events,
    failures,
    /** The mails that are sent by now. */
    async mails(): Promise<OutgoingMail[]> {
      await identity.mail?.settled()
      return sent
    },
    send: async (request: Request) => (await identity.fetch(provider, request)) ?? provider.fetch(request),
    find: (username: string): Promise<User | null> => users('default').findByUsername(username),
    /** The work of one round, to its end. */
    async round() {
      deletion.due.start(provider, { now, failed: (error) => void failures.push(error) })
      await deletion.due.settled()
    },
    /** The link of an operator with which the user gets in again. */
    async recoveryLink(username: string): Promise<string> {
      const located = await provider.locate(new Request(`${ORIGIN}/login`))
      const user = await users('default').findByUsername(username)
      if (!located || !user) throw new Error('No realm, or no user')
      const link = { realm: located.realm, user, now: clock.now }
      return (await createRecoveryLink(tickets('default'), link)).url
    },
  }
}

export type Place = Awaited<ReturnType<typeof place>>

/** @param headers Of each request. */
export function browserAt(p: Place, headers: Record<string, string> = {}) {
  const { cookies, send: sendRequest } = browser((request) => p.send(request))
  const send = (url: string, init: RequestInit = {}) =>
    sendRequest(new Request(new URL(url, ORIGIN), { headers, ...init }))
  const post = (url: string, fields: Record<string, string>) =>
    send(url, { method: 'POST', body: new URLSearchParams(fields) })
  const open = async (url: string) => (await send(url)).text()
  /** Where a request of the application is sent. */
  async function authorize(): Promise<string> {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'app',
      redirect_uri: REDIRECT_URI,
      scope: 'openid',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    })
    return (await send(`/oauth/authorize?${query}`)).headers.get('location') ?? ''
  }
  async function enter(url: string, username: string): Promise<Response> {
    const page = await open(url)
    const names = ['csrf_token', 'return_to']
    const hidden = Object.fromEntries(names.map((name) => [name, hiddenField(page, name)]))
    return post('/login', { ...hidden, username, password: PASSWORD })
  }
  /** The button of the account page, up to the page that asks for the username. */
  async function ask(): Promise<string> {
    const csrf_token = hiddenField(await open('/account'), 'csrf_token')
    const answer = await post('/account', { csrf_token, action: 'delete_account' })
    return (await send(answer.headers.get('location') ?? '')).text()
  }
  return {
    cookies,
    send,
    post,
    open,
    ask,
    enter,
    /** For the account page. */
    signIn: (username: string) => enter('/login?return_to=/account', username),
    /** For the application. */
    signInFor: async (username: string) => enter(await authorize(), username),
    async deletes(username: string, fields: Record<string, string> = {}): Promise<Response> {
      const csrf_token = hiddenField(await ask(), 'csrf_token')
      return post('/login/delete', { csrf_token, username, ...fields })
    },
    /** The button of the page that a sign-in has led to. */
    async keeps(answer: Response, fields: Record<string, string> = {}): Promise<Response> {
      const page = await open(answer.headers.get('location') ?? '')
      const names = ['confirm', 'return_to']
      const hidden = Object.fromEntries(names.map((name) => [name, hiddenField(page, name)]))
      return post('/login/restore', { ...hidden, ...fields })
    },
    /** Asks for a mail with a link for a new password. */
    async forgets(username: string): Promise<void> {
      const csrf_token = hiddenField(await open('/login/recover'), 'csrf_token')
      await post('/login/recover', { csrf_token, username })
    },
    async session() {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const request = new Request(`${ORIGIN}/account`, { headers: { cookie } })
      return (await p.provider.session(request))?.session ?? null
    },
  }
}

/** The confirmation on the page that a sign-in has led to. */
export async function confirmationIn(b: AtBrowser, answer: Response): Promise<string> {
  const page = await b.open(answer.headers.get('location') ?? '')
  return hiddenField(page, 'confirm')
}

type AtBrowser = ReturnType<typeof browserAt>

/** A user who has asked for the deletion. */
export async function requested(
  p: Place,
  username = 'ann',
  headers: Record<string, string> = {},
): Promise<AtBrowser> {
  const b = browserAt(p, headers)
  await b.signIn(username)
  const answer = await b.deletes(username)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return b
}

/** Where the answer leads, without the parameters. */
export const pathOf = (answer: Response): string => {
  const location = answer.headers.get('location')
  return location === null ? `status ${answer.status}` : new URL(location).pathname
}

export const types = ({ events }: Pick<Place, 'events'>): string[] => events.map(({ type }) => type)
