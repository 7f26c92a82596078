/** A provider on memory storage with the built-in sign-in, mail and recovery; browsers; and what was mailed. */

import { createHash } from 'node:crypto'
import { createProvider, type OidcConfig, personTag, sha256 } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import {
  createIdentity,
  type Factor,
  type IdentityEvent,
  type IdentityOptions,
  type IdentitySettings,
  inviteUser,
  memoryUserStores,
  setDisabled,
  type Tickets,
  type User,
  type UserInput,
  upsertUser,
} from '@ostiary/identity'
import { type MailQueue, memoryMailQueue, type OutgoingMail, type RealmMail } from '@ostiary/identity/mail'
import { browser, hiddenField } from '@ostiary/test-kit/browser'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { createRecovery, type RecoverySettings } from '../src/index.js'

export const PASSWORD = 'correct horse battery staple'
export const DELAY = 86_400
export const CODE = '0000-1111-2222-3333'
export const OTHER_CODE = '4444-5555-6666-7777'
const REDIRECT_URI = 'https://app.example/cb'
const SECRET = 'a secret of this test, 32 characters'
const HASH = {
  hash: async (text: string) => `plain ${text}`,
  verify: async (hash: string | null, text: string) => hash === `plain ${text}`,
  stale: () => false,
}

export interface PlaceOptions {
  /** Null: no realm has the recovery. */
  recovery?: RecoverySettings | null
  realms?: readonly string[]
  settings?: IdentitySettings
  mail?: Partial<RealmMail>
  queue?: MailQueue
  oidc?: OidcConfig
  identity?: Partial<IdentityOptions>
  /** In the place of the tickets in memory. */
  wrap?: (tickets: Tickets) => Tickets
}

export async function place({
  recovery = { mail: true },
  settings = { second_factor: 'optional' },
  realms,
  mail = {},
  queue = memoryMailQueue(),
  ...more
}: PlaceOptions = {}) {
  const clock = { now: 1_800_000_000 }
  const now = () => clock.now
  const { users, factors, ...stores } = memoryUserStores()
  const tickets = more.wrap?.(stores.tickets) ?? stores.tickets
  const storage = memoryStorage()
  const events: IdentityEvent[] = []
  const sent: OutgoingMail[] = []
  const mailer = { send: async (outgoing: OutgoingMail) => void sent.push(outgoing) }
  const ids = realms ?? ['default']
  const shared = {
    secret: SECRET,
    now,
    users,
    factors,
    tickets,
    passwords: HASH,
    mail: { queue, of: () => ({ mailer, from: 'id@example.com', ...mail }) },
    throttle: (realm: string) => storage(realm).throttle,
  }
  const identity = createIdentity({
    ...shared,
    ...(recovery && {
      recovery: createRecovery({ realms: Object.fromEntries(ids.map((id) => [id, recovery])) }),
    }),
    replays: (realm) => storage(realm).replays,
    settings: () => settings,
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
  }
  const p = {
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
  for (const realm of ids) await people(p, realm, shared)
  events.length = 0
  return p
}

export type Place = Awaited<ReturnType<typeof place>>

/**
 * ann: a passkey and recovery codes. bob: a passkey. cem: a password, a passkey and codes. dan: a password. off: as ann, disabled. new:
 * invited.
 */
async function people(
  { users, factors, clock, provider, user }: Pick<Place, 'users' | 'factors' | 'clock' | 'provider' | 'user'>,
  realm: string,
  shared: Parameters<typeof inviteUser>[0],
): Promise<void> {
  const options = { passwords: HASH, now: () => clock.now }
  const add = async (username: string, kinds: Factor['kind'][], more: Partial<UserInput> = {}) => {
    const input = { username, email: `${username}@corp.example`, email_verified: true, ...more }
    await upsertUser(users(realm), input, options)
    const { sub } = await user(username, realm)
    for (const kind of kinds)
      await factors(realm).change(
        { sub, add: [kind === 'recovery' ? codesOf(sub, clock.now) : passkeyOf(sub, clock.now)] },
        { credential_version: (await user(username, realm)).credential_version, now: clock.now },
      )
  }
  await add('ann', ['passkey', 'recovery'])
  await add('bob', ['passkey'])
  await add('cem', ['passkey', 'recovery'], { password: PASSWORD })
  await add('dan', [], { password: PASSWORD })
  await add('off', ['passkey', 'recovery'])
  await setDisabled(users(realm), { sub: (await user('off', realm)).sub, disabled: true }, options)
  const located = await provider.locate(new Request(`${baseOf(realm)}/login`))
  if (!located) throw new Error('No realm')
  const { mail: _, ...without_mail } = shared
  await inviteUser(without_mail, located.realm, {
    username: 'new',
    email: 'new@corp.example',
    email_verified: true,
  })
}

/** A passkey as it is stored. */
export const passkeyOf = (sub: string, now: number): Factor => {
  const credential_id = `credential of ${sub}`
  return {
    factor_id: sha256(credential_id) + personTag(sub),
    sub,
    kind: 'passkey',
    label: 'Laptop',
    created_at: now,
    last_used_at: null,
    state: '0 1',
    data: {
      credential_id,
      public_key: '',
      algorithm: -7,
      backup_eligible: true,
      transports: [],
      aaguid: '',
      rp_id: 'id.example',
      user_handle: '',
    },
  }
}

/** A set with the two codes. */
const codesOf = (sub: string, now: number): Factor => {
  const factor_id = `codes${personTag(sub)}`
  const hashes = [CODE, OTHER_CODE].map((code) =>
    createHash('sha256')
      .update(JSON.stringify([factor_id, code.replaceAll('-', '')]))
      .digest('base64url'),
  )
  return {
    factor_id,
    sub,
    kind: 'recovery',
    label: '',
    created_at: now,
    last_used_at: null,
    state: JSON.stringify(hashes),
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
  /** Enters the name on the page of users who cannot sign in. The answer to the form. */
  async function ask(username: string, headers: Record<string, string> = {}): Promise<Response> {
    const html = await text(`${base}/login/recover`)
    return post(`${base}/login/recover`, { csrf_token: hiddenField(html, 'csrf_token'), username }, headers)
  }
  const regain = `${base}/login/regain`
  const tokenOf = async (url: string) => hiddenField(await text(url), 'csrf_token')
  const t = (link: string) => new URL(link).searchParams.get('t') ?? ''
  return {
    base,
    cookies,
    send,
    post,
    text,
    ask,
    regain,
    /** With a recovery code, on the page of the link. */
    useCode: async (link: string, recovery_code = CODE) =>
      post(regain, { csrf_token: await tokenOf(link), t: t(link), action: 'code', recovery_code }),
    /** Without one. */
    wait: async (link: string) =>
      post(regain, { csrf_token: await tokenOf(link), t: t(link), action: 'wait' }),
    /** After the delay. */
    begin: async (link: string) =>
      post(regain, { csrf_token: await tokenOf(link), t: t(link), action: 'begin' }),
    /** With the link of a mail. */
    cancel: async (link: string) =>
      post(regain, {
        csrf_token: await tokenOf(link),
        c: new URL(link).searchParams.get('c') ?? '',
        action: 'cancel',
      }),
    /** A session of this user, however it began. */
    async enter({ sub, username }: Pick<User, 'sub' | 'username'>): Promise<void> {
      const answer = await p.provider.login(new Request(`${base}/login`), {
        sub,
        username,
        amr: ['swk', 'user', 'mfa'],
        return_to: { path: '/account' },
      })
      for (const cookie of answer.headers.getSetCookie()) {
        const [name = '', ...value] = (cookie.split(';')[0] ?? '').split('=')
        cookies.set(name, value.join('='))
      }
      await send(`${base}/login?return_to=/account`)
    },
    /** With a password, for an application. */
    async signIn(username: string): Promise<Response> {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: 'app',
        redirect_uri: REDIRECT_URI,
        scope: 'openid',
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
        password: PASSWORD,
      })
    },
    /** Follows redirects of this site. */
    async follow(answer: Response): Promise<Response> {
      const location = answer.headers.get('location')
      return location === null ? answer : send(location)
    },
  }
}

export type AtBrowser = ReturnType<typeof browserAt>

/** The last link that was mailed to a page of recoveries, by its parameter. Mails that are due at one time come in any order. */
export const lastLink = ({ sent }: Pick<Place, 'sent'>, parameter: 't' | 'c'): string =>
  linkIn(
    sent.findLast(({ text }) => text.includes(`/login/regain?${parameter}=`)),
    parameter,
  )

/** The link of a mail to a page of recoveries, by its parameter. */
export function linkIn(mail: OutgoingMail | undefined, parameter: 't' | 'c'): string {
  const [link] = new RegExp(`https://\\S+/login/regain\\?${parameter}=\\S+`).exec(mail?.text ?? '') ?? []
  if (link === undefined) throw new Error(`No link in ${mail?.text}`)
  return link
}

/** The mailed link for this user, which another browser has asked for. */
export async function linkFor(p: Place, username: string, from: From = {}): Promise<string> {
  await browserAt(p, from).ask(username)
  await p.deliver()
  return lastLink(p, 't')
}

/** A recovery that waits, of which the first mail was sent. */
export async function waitingFor(p: Place, username: string): Promise<{ cancel: string }> {
  const link = await linkFor(p, username)
  const answer = await browserAt(p).wait(link)
  if (answer.status !== 303) throw new Error(await answer.text())
  await p.deliver()
  return { cancel: lastLink(p, 'c') }
}

/** The link of the last mail, after the delay. */
export async function linkAfterDelay(p: Place, username: string): Promise<string> {
  await waitingFor(p, username)
  p.clock.now += DELAY
  await p.deliver()
  return lastLink(p, 't')
}

/** Without what differs from page to page. */
export const withoutTokens = (html: string): string =>
  html.replace(/(name="(?:csrf_token|t|return_to)" value=")[^"]*/g, '$1').replace(/return_to=[^"&]+/g, '')

export const types = ({ events }: Pick<Place, 'events'>): string[] => events.map(({ type }) => type)

/** Where a recovery goes on. */
export const FLOW = 'https://id.example/login/ticket'
