/** A provider on memory storage with the built-in sign-in, mail and changes of address; browsers; and what was mailed. */

import { createHash } from 'node:crypto'
import { createProvider, type OidcConfig, personTag, sha256 } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import {
  createIdentity,
  type Factor,
  type IdentityEvent,
  type IdentityOptions,
  type IdentitySettings,
  memoryUserStores,
  type Tickets,
  type User,
  type UserInput,
  type Users,
  upsertUser,
} from '@ostiary/identity'
import { type MailQueue, memoryMailQueue, type OutgoingMail, type RealmMail } from '@ostiary/identity/mail'
import { browser, hiddenField } from '@ostiary/test-kit/browser'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { createAddresses } from '../src/index.js'

export const PASSWORD = 'correct horse battery staple'
export const CODE = '0000-1111-2222-3333'
export const PAGE = 'https://id.example/login/address'
export const WEEK = 604_800
const REDIRECT_URI = 'https://app.example/cb'
const SECRET = 'a secret of this test, 32 characters'
export const HASH = {
  hash: async (text: string) => `plain ${text}`,
  verify: async (hash: string | null, text: string) => hash === `plain ${text}`,
  stale: () => false,
}

export interface PlaceOptions {
  email_change?: boolean
  realms?: readonly string[]
  settings?: IdentitySettings
  /** Null: the realm mails nothing. */
  mail?: Partial<RealmMail> | null
  queue?: MailQueue
  oidc?: OidcConfig
  identity?: Partial<IdentityOptions>
  /** False: the realm has passwords alone. */
  has_factors?: boolean
  /** In the place of the tickets and users in memory. */
  tickets?: (tickets: Tickets) => Tickets
  users?: (users: Users) => Users
}

export async function place({
  email_change = true,
  settings = { second_factor: 'optional' },
  realms,
  mail = {},
  queue = memoryMailQueue(),
  has_factors = true,
  ...more
}: PlaceOptions = {}) {
  // An hour that has just begun.
  const clock = { now: 1_800_000_000 }
  const now = () => clock.now
  const { factors, ...stores } = memoryUserStores()
  const tickets = more.tickets?.(stores.tickets) ?? stores.tickets
  const users = more.users?.(stores.users) ?? stores.users
  const storage = memoryStorage()
  const events: IdentityEvent[] = []
  const sent: OutgoingMail[] = []
  const mailer = { send: async (outgoing: OutgoingMail) => void sent.push(outgoing) }
  const ids = realms ?? ['default']
  const identity = createIdentity({
    secret: SECRET,
    now,
    users,
    tickets,
    passwords: HASH,
    mail: { queue, of: () => mail && { mailer, from: 'id@example.com', ...mail } },
    throttle: (realm) => storage(realm).throttle,
    replays: (realm) => storage(realm).replays,
    ...(has_factors && { factors, settings: () => settings }),
    extensions: [createAddresses({ realms: Object.fromEntries(ids.map((id) => [id, { email_change }])) })],
    on_event: (event) => void events.push(event),
    ...more.identity,
  })
  const provider = createProvider({
    secret: SECRET,
    now,
    oidc: {
      issuer: 'https://id.example',
      ...more.oidc,
      ...(realms && { routes: { realms: 'path' }, realms: Object.fromEntries(realms.map((id) => [id, {}])) }),
    },
    storage,
    accounts: identity.accounts,
    interactions: identity.interactions,
  })
  for (const realm of ids) {
    await storage(realm).clients.create(
      clientRecord({
        redirect_uris: [REDIRECT_URI],
        grant_types: ['authorization_code'],
        consent_required: false,
      }),
    )
    await people({ users, factors }, realm, clock.now)
  }
  return {
    clock,
    users,
    factors,
    tickets,
    storage,
    events,
    sent,
    queue,
    identity,
    provider,
    send: async (request: Request, info: { address?: string } = {}) =>
      (await identity.fetch(provider, request, info)) ?? provider.fetch(request, info),
    async deliver() {
      identity.mail?.start(provider)
      await identity.mail?.settled()
    },
    user: async (username: string, realm = 'default') => {
      const user = await users(realm).findByUsername(username)
      if (!user) throw new Error(`There is no ${username}`)
      return user
    },
  }
}

export type Place = Awaited<ReturnType<typeof place>>

/**
 * ann: her username is not her address. mia@corp.example and bob@corp.example: it is. fay: as ann, with a passkey and recovery codes. una: her
 * address is not verified. nil: without an address. Each has the password.
 */
async function people(
  { users, factors }: Pick<Place, 'users' | 'factors'>,
  realm: string,
  now: number,
): Promise<void> {
  const options = { passwords: HASH, now: () => now }
  const add = (input: UserInput) => upsertUser(users(realm), { password: PASSWORD, ...input }, options)
  for (const name of ['ann', 'fay', 'mia@corp.example', 'bob@corp.example'])
    await add({
      username: name,
      email: `${name.replace('@corp.example', '')}@corp.example`,
      email_verified: true,
    })
  await add({ username: 'una', email: 'Una@corp.example' })
  await add({ username: 'nil' })
  const fay = await users(realm).findByUsername('fay')
  const { sub = '', credential_version = 0 } = fay ?? {}
  await factors(realm).change(
    { sub, add: [passkeyOf(sub, now), codesOf(sub, now)] },
    { credential_version, now },
  )
}

const passkeyOf = (sub: string, now: number): Factor => ({
  factor_id: sha256(`credential of ${sub}`) + personTag(sub),
  sub,
  kind: 'passkey',
  label: 'Laptop',
  created_at: now,
  last_used_at: null,
  state: '0 1',
  data: {
    credential_id: `credential of ${sub}`,
    public_key: '',
    algorithm: -7,
    backup_eligible: true,
    transports: [],
    aaguid: '',
    rp_id: 'id.example',
    user_handle: '',
  },
})

/** A set with one code. */
const codesOf = (sub: string, now: number): Factor => {
  const factor_id = `codes${personTag(sub)}`
  const hash = createHash('sha256')
    .update(JSON.stringify([factor_id, CODE.replaceAll('-', '')]))
    .digest('base64url')
  return {
    factor_id,
    sub,
    kind: 'recovery',
    label: '',
    created_at: now,
    last_used_at: null,
    state: JSON.stringify([hash]),
    data: {},
  }
}

const baseOf = (realm: string) => `https://id.example${realm === 'default' ? '' : `/realms/${realm}`}`

interface From {
  realm?: string
  address?: string
}

export function browserAt(p: Place, { realm = 'default', ...info }: From = {}) {
  const base = baseOf(realm)
  const { cookies, send: sendRequest } = browser((request) => p.send(request, info))
  const send = (url: string, init: RequestInit = {}) => sendRequest(new Request(new URL(url, base), init))
  const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send(url, { method: 'POST', body: new URLSearchParams(fields), headers })
  const text = async (url: string) => (await send(url)).text()
  const tokenOf = async (url: string) => hiddenField(await text(url), 'csrf_token')
  const t = (link: string) => new URL(link).searchParams.get('t') ?? ''
  /** A form of the account page. */
  const act = async (action: string, fields: Record<string, string> = {}) =>
    post(`${base}/account`, { csrf_token: await tokenOf(`${base}/account`), action, ...fields })
  return {
    base,
    cookies,
    send,
    post,
    text,
    act,
    /** Asks for a change of the address. */
    change: (address: string) => act('change_address', { address }),
    /** Presses the button of a link. */
    press: async (link: string) =>
      post(`${base}/login/address`, { csrf_token: await tokenOf(link), t: t(link) }),
    /** A session of this user, however it began. */
    async enter({ sub, username }: Pick<User, 'sub' | 'username'>, amr: string[] = ['pwd']): Promise<void> {
      const answer = await p.provider.login(new Request(`${base}/login`), {
        sub,
        username,
        amr,
        return_to: { path: '/account' },
      })
      for (const cookie of answer.headers.getSetCookie()) {
        const [name = '', ...value] = (cookie.split(';')[0] ?? '').split('=')
        cookies.set(name, value.join('='))
      }
      await send(`${base}/login?return_to=/account`)
    },
    /** With a password, for an application. */
    async signIn(username: string, password = PASSWORD): Promise<Response> {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: 'app',
        redirect_uri: REDIRECT_URI,
        scope: 'openid email',
        state: 'state of the client',
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
      })
      const asked = await send(`${base}/oauth/authorize?${query}`)
      const html = await text(asked.headers.get('location') ?? '')
      return post(`${base}/login`, {
        return_to: hiddenField(html, 'return_to'),
        csrf_token: hiddenField(html, 'csrf_token'),
        username,
        password,
      })
    },
    /** Asks for a mail for a new password. */
    async forget(username: string): Promise<Response> {
      const csrf_token = await tokenOf(`${base}/login/recover`)
      return post(`${base}/login/recover`, { csrf_token, username })
    },
    /** Sets it, with the link of that mail. */
    reset: async (link: string, password: string) =>
      post(`${base}/login/reset`, {
        csrf_token: await tokenOf(link),
        t: t(link),
        new_password: password,
        new_password_again: password,
      }),
  }
}

export type AtBrowser = ReturnType<typeof browserAt>

/** A browser in which this user is signed in. */
export async function signedIn(p: Place, username: string, from: From = {}): Promise<AtBrowser> {
  const b = browserAt(p, from)
  await b.enter(await p.user(username, from.realm))
  return b
}

/** The link of the last mail to this address. */
export function linkTo({ sent }: Pick<Place, 'sent'>, address: string): string {
  const mail = sent.findLast(({ to }) => to === address)
  const [link] = /https:\/\/\S+\/login\/(?:address|reset)\?t=\S+/.exec(mail?.text ?? '') ?? []
  if (link === undefined) throw new Error(`No link to ${address} in ${mail?.text}`)
  return link
}

/** The link that confirms this address, for which the user has just asked. */
export async function asked(p: Place, username: string, address: string): Promise<string> {
  const answer = await (await signedIn(p, username)).change(address)
  if (answer.status !== 303) throw new Error(await answer.text())
  await p.deliver()
  return linkTo(p, address)
}

/** The address is changed. */
export async function changed(p: Place, username: string, address: string): Promise<void> {
  const answer = await browserAt(p).press(await asked(p, username, address))
  if (answer.status !== 303) throw new Error(await answer.text())
  await p.deliver()
}

/** Without what differs from page to page. */
export const withoutTokens = (html: string): string =>
  html.replace(/(name="(?:csrf_token|t)" value=")[^"]*/g, '$1')

export const types = ({ events }: Pick<Place, 'events'>): string[] => events.map(({ type }) => type)

/** Of the address events. */
export const told = ({ events }: Pick<Place, 'events'>): string[] =>
  events.flatMap((event) =>
    event.type.startsWith('address.')
      ? [event.type.slice(8) + ('reason' in event ? ` ${event.reason}` : '')]
      : [],
  )
