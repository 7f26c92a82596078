/** A provider on memory storage with the built-in sign-in and terms, with which it can be started anew; and browsers. */

import { createHash } from 'node:crypto'
import { createProvider, personTag, sha256 } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import {
  createIdentity,
  createRecoveryLink,
  type Extension,
  type Factor,
  type IdentityEvent,
  type IdentitySettings,
  inviteUser,
  memoryUserStores,
  type User,
  type Users,
  upsertUser,
} from '@ostiary/identity'
import { memoryMailQueue, type OutgoingMail } from '@ostiary/identity/mail'
import { createSignUp } from '@ostiary/sign-up'
import {
  assertionResponse,
  type Credential,
  passkeyCredential,
  registrationResponse,
} from '@ostiary/test-kit/authenticators/authenticator'
import { browser } from '@ostiary/test-kit/browser'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { createTerms, type TermsSettings } from '../src/index.js'

const PASSWORD = 'correct horse battery staple'
export const CODE = '0000-1111-2222-3333'
export const TERMS: TermsSettings = { version: '2026-11-01', url: 'https://corp.example/terms' }
export const NEWER: TermsSettings = { ...TERMS, version: '2027-01-01' }
const ORIGIN = 'https://id.example'
const REDIRECT_URI = 'https://app.example/cb'
const SECRET = 'a secret of this test, 32 characters'
const HASH = {
  hash: async (text: string) => `plain ${text}`,
  verify: async (hash: string | null, text: string) => hash === `plain ${text}`,
  stale: () => false,
}

export interface PlaceOptions {
  realms?: readonly string[]
  settings?: IdentitySettings
  /** In the place of the users in memory. */
  wrap?: (users: Users) => Users
}

export async function place({
  realms,
  settings = { second_factor: 'optional' },
  wrap = (users) => users,
}: PlaceOptions = {}) {
  const clock = { now: 1_800_000_000 }
  const now = () => clock.now
  const { users: stored, factors, tickets } = memoryUserStores()
  const users = wrap(stored)
  const storage = memoryStorage()
  const events: IdentityEvent[] = []
  const sent: OutgoingMail[] = []
  const queue = memoryMailQueue()
  const ids = realms ?? ['default']
  const shared = {
    secret: SECRET,
    now,
    users,
    factors,
    tickets,
    throttle: (realm: string) => storage(realm).throttle,
  }
  const mailer = { send: async (mail: OutgoingMail) => void sent.push(mail) }
  const mail = { queue, of: () => ({ mailer, from: 'id@example.com' }) }
  /** A server with these terms, on what is stored. */
  function start(terms: TermsSettings | null) {
    const identity = createIdentity({
      ...shared,
      passwords: HASH,
      mail,
      sign_up: createSignUp({ realms: { default: { signup: 'open' } } }),
      extensions: [
        elsewhere,
        ...(terms ? [createTerms({ realms: Object.fromEntries(ids.map((id) => [id, terms])) })] : []),
      ],
      replays: (realm) => storage(realm).replays,
      settings: () => settings,
      on_event: (event) => void events.push(event),
    })
    const provider = createProvider({
      secret: SECRET,
      now,
      oidc: {
        issuer: ORIGIN,
        ...(realms && {
          routes: { realms: 'path' },
          realms: Object.fromEntries(realms.map((id) => [id, {}])),
        }),
      },
      storage,
      accounts: identity.accounts,
      interactions: identity.interactions,
    })
    return { identity, provider }
  }
  const p = {
    clock,
    users,
    factors,
    tickets,
    storage,
    events,
    sent,
    server: start(TERMS),
    restart(terms: TermsSettings | null) {
      p.server = start(terms)
    },
    async send(request: Request) {
      const { identity, provider } = p.server
      return (await identity.fetch(provider, request)) ?? provider.fetch(request)
    },
    async deliver() {
      p.server.identity.mail?.start(p.server.provider)
      await p.server.identity.mail?.settled()
    },
    async user(username: string, realm = 'default'): Promise<User> {
      const user = await users(realm).findByUsername(username)
      if (!user) throw new Error(`There is no ${username}`)
      return user
    },
    async located(realm = 'default') {
      const found = await p.server.provider.locate(new Request(`${baseOf(realm)}/login`))
      if (!found) throw new Error('No realm')
      return found.realm
    },
    /** The link of an invitation. */
    async invite(username: string): Promise<string> {
      const input = { username, email: `${username}@corp.example`, email_verified: true }
      const { url } = await inviteUser(shared, await p.located(), input)
      return url ?? ''
    },
    /** The link of an operator with which the user gets in again. */
    async recoveryLink(username: string): Promise<string> {
      const options = { realm: await p.located(), user: await p.user(username), now: clock.now }
      return (await createRecoveryLink(tickets('default'), options)).url
    },
  }
  for (const realm of ids) {
    await storage(realm).clients.create(
      clientRecord({
        redirect_uris: [REDIRECT_URI],
        grant_types: ['authorization_code'],
        consent_required: false,
      }),
    )
    for (const username of ['dan', 'cem'])
      await upsertUser(stored(realm), { username, password: PASSWORD }, { passwords: HASH, now })
    const { sub, credential_version } = await p.user('cem', realm)
    const add = [passkeyOf(sub, clock.now), codesOf(sub, clock.now)]
    const change = { sub, add, second_step: true }
    await factors(realm).change(change, { credential_version, now: clock.now })
  }
  return p
}

export type Place = Awaited<ReturnType<typeof place>>

/** As another provider at which dan has signed in. */
const elsewhere: Extension = {
  name: 'elsewhere',
  methods: (_, path) => (path === '/login/elsewhere' ? ['GET', 'HEAD', 'POST'] : []),
  async answer(page) {
    const sid = new URL(page.request.url).searchParams.get('sid')
    if (sid !== null) return Response.json(await page.claim(`a mark ${sid}`, page.now() + 60))
    const c = await page.waiting(new URL(page.request.url).searchParams.get('return_to') ?? '')
    if (c instanceof Response) return c
    const user = await c.users.findByUsername('dan')
    if (!user) throw new Error('There is no dan')
    return c.finish({ user, second_factor: false, marks: ['a mark'], cookies: [] })
  },
}

/** A passkey that is never used. */
const passkeyOf = (sub: string, now: number): Factor => {
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

const baseOf = (realm: string) => `${ORIGIN}${realm === 'default' ? '' : `/realms/${realm}`}`

const decoded = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')

export interface Form {
  url: string
  fields: Record<string, string>
  /** Of a form for a passkey. */
  options: Record<string, unknown>
}

const attribute = (tag: string, name: string): string =>
  decoded(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

/** The first form with this value in a hidden field. */
export function formWith(html: string, name: string, value: string): Form {
  for (const [, head = '', body = ''] of html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)) {
    const inputs = [...body.matchAll(/<input[^>]*>/g)].filter(
      ([tag]) => !/type="(?:radio|checkbox)"/.test(tag),
    )
    const fields = Object.fromEntries(
      inputs.map(([tag]) => [attribute(tag, 'name'), attribute(tag, 'value')]),
    )
    if (fields[name] === value)
      return {
        url: new URL(attribute(head, 'action'), ORIGIN).href,
        fields,
        options: JSON.parse(attribute(head, 'data-options') || '{}'),
      }
  }
  throw new Error(`No form with ${name}=${value} in ${html}`)
}

export function browserAt(p: Place, { realm = 'default' } = {}) {
  const base = baseOf(realm)
  const { cookies, send: sendRequest } = browser((request) => p.send(request))
  const send = (url: string, init: RequestInit = {}) => sendRequest(new Request(new URL(url, base), init))
  const post = (url: string, fields: Record<string, string>) =>
    send(url, { method: 'POST', body: new URLSearchParams(fields) })
  const open = async (url: string) => (await send(url)).text()
  /** The page after a redirect. */
  async function follow(answer: Response): Promise<string> {
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`No redirect, but ${answer.status}: ${await answer.text()}`)
    return open(location)
  }
  const submit = (html: string, [name, value]: [string, string], typed: Record<string, string> = {}) => {
    const { url, fields } = formWith(html, name, value)
    return post(url, { ...fields, ...typed })
  }
  /** Where a request of the application is sent. */
  async function authorize(more: Record<string, string> = {}): Promise<string> {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'app',
      redirect_uri: REDIRECT_URI,
      scope: 'openid',
      state: 'state of the client',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      ...more,
    })
    return (await send(`${base}/oauth/authorize?${query}`)).headers.get('location') ?? ''
  }
  async function enter(url: string, username: string): Promise<Response> {
    return submit(await open(url), ['username', ''], { username, password: PASSWORD })
  }
  const passkeyForm = (html: string, action: string) => {
    const form = formWith(html, 'action', action)
    return {
      form,
      request: { challenge: String(form.options.challenge), origin: ORIGIN, rp_id: 'id.example' },
    }
  }
  return {
    base,
    cookies,
    send,
    post,
    open,
    follow,
    submit,
    authorize,
    enter,
    /** For an application, or for the account page. The answer to the form of the password. */
    signIn: async (username: string, more: Record<string, string> = {}) =>
      enter(await authorize(more), username),
    /** Uses the passkey on the sign-in page. */
    async usePasskey(credential: Credential, url: string): Promise<Response> {
      const { form, request } = passkeyForm(await open(url), 'start')
      return post(form.url, {
        ...form.fields,
        passkey: JSON.stringify(assertionResponse(credential, request)),
      })
    },
    /** Adds a passkey on this page. */
    async addPasskey(html: string): Promise<{ credential: Credential; answer: Response }> {
      const { form, request } = passkeyForm(html, 'enrolled')
      const credential = passkeyCredential({
        algorithm: -7,
        backup_eligible: true,
        backed_up: true,
        counter: 0,
      })
      credential.user_handle = (form.options.user as { id: string }).id
      const passkey = JSON.stringify(registrationResponse(credential, request))
      return { credential, answer: await post(form.url, { ...form.fields, passkey }) }
    },
    async session() {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      return (
        (await p.server.provider.session(new Request(`${base}/account`, { headers: { cookie } })))?.session ??
        null
      )
    },
  }
}

export type AtBrowser = ReturnType<typeof browserAt>

/** Where the answer leads, without the parameters. */
export const pathOf = (answer: Response): string => {
  const location = answer.headers.get('location')
  return location === null ? `status ${answer.status}` : new URL(location).pathname
}

/** Presses the button of the page that a sign-in has led to. */
export const accept = async (b: AtBrowser, answer: Response): Promise<Response> =>
  b.submit(await b.follow(answer), ['action', 'accept'])

export const types = ({ events }: Pick<Place, 'events'>): string[] => events.map(({ type }) => type)

/** The answer that the application gets at the end of a sign-in. */
export const codeAfter = async (b: AtBrowser, answer: Response): Promise<URLSearchParams> => {
  const back = await b.send(answer.headers.get('location') ?? '')
  return new URL(back.headers.get('location') ?? '', b.base).searchParams
}
