/** Each wrong option of createProvider is answered at creation: one ConfigError, with path and remedy of every fault. */

import { ConfigError, createProvider, type ProviderOptions } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { expect, it } from 'vitest'
import { ISSUER } from './support.js'

const SECRET = 'only-for-tests-only-for-tests-only-for-tests'

const VALID: ProviderOptions = {
  oidc: { issuer: ISSUER },
  secret: SECRET,
  storage: memoryStorage(),
  accounts: { find: async () => null },
  interactions: { login: async () => new Response(), consent: async () => new Response() },
}

/** The message of the error for options that no type would let through. */
function messageFor(options: unknown): string {
  try {
    createProvider(options as ProviderOptions)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message
  }
  return 'no error'
}

const ISSUER_MISSING =
  'oidc.issuer: missing, and app.url is not set either: give the public origin, such as https://id.example.com'
const SECRET_MISSING =
  'secret (OIDC_SECRET): missing; give at least 32 random characters, such as the output of: openssl rand -base64 32'
const STORAGE_MISSING =
  'storage: missing; give memoryStorage() of @ostiary/core/memory to try it out, or the adapter of a database'
const ACCOUNTS_MISSING =
  'accounts: missing; give { find: async (sub) => … }, which returns the user with this sub, or null'
const INTERACTIONS_MISSING =
  'interactions: missing; give { login, consent }, the functions that show your pages'
const LOGIN_MISSING =
  'interactions.login: missing; give a function that returns the sign-in page, or a redirect to it with return_to'

const { login } = VALID.interactions

it.each<[mistake: string, options: object, message: string]>([
  ['no secret', { secret: undefined }, SECRET_MISSING],
  ['no storage', { storage: undefined }, STORAGE_MISSING],
  ['no accounts', { accounts: undefined }, ACCOUNTS_MISSING],
  ['no interactions', { interactions: undefined }, INTERACTIONS_MISSING],
  ['no issuer', { oidc: {} }, ISSUER_MISSING],
  ['no oidc', { oidc: undefined }, ISSUER_MISSING],
  [
    'an unknown option',
    { on_events: () => {} },
    'on_events: there is no such option; did you mean on_event?',
  ],
  ['an option that is near none', { database: 1 }, 'database: there is no such option'],
  ['the issuer beside oidc', { issuer: ISSUER }, 'issuer: there is no such option'],
  [
    'accounts.find is no function',
    { accounts: { find: 'x' } },
    'accounts.find: give a function, not a string',
  ],
  [
    'no accounts.find',
    { accounts: {} },
    'accounts.find: missing; give a function that returns the user with this sub, or null',
  ],
  ['no interactions.login', { interactions: {} }, LOGIN_MISSING],
  [
    'a page is no function',
    { interactions: { login, consent: '<p>Allow?' } },
    'interactions.consent: give a function, not a string',
  ],
  [
    'a misspelled page',
    { interactions: { login, signed_out: login } },
    'interactions.signed_out: unknown; did you mean signedOut?',
  ],
  [
    'a secret of bytes',
    { secret: new Uint8Array(32) },
    'secret (OIDC_SECRET): give the characters as a string, not an object',
  ],
  ['a short secret', { secret: 'short' }, 'secret (OIDC_SECRET): give at least 32 random characters'],
  [
    'a weak secret',
    { secret: 'x'.repeat(40) },
    'secret (OIDC_SECRET): it repeats few characters: give at least 32 random ones',
  ],
  ['a storage that is no function', { storage: {} }, 'storage: give a function, not an object'],
  ['a date as now', { now: 1_800_000_000 }, 'now: give a function, not a number'],
  ['random is no function', { random: 'abc' }, 'random: give a function, not a string'],
  [
    'hashes without hmac',
    { hashes: { sha256: () => '' } },
    'hashes.hmac: missing; give a function that returns the HMAC-SHA-256 of a text with a key, in base64url',
  ],
  ['signer is no function', { signer: {} }, 'signer: give a function, not an object'],
  ['on_event is no function', { on_event: true }, 'on_event: give a function, not a boolean'],
  ['fetch is null', { fetch: null }, 'fetch: give a function, not null'],
  ['a negative client_cache', { client_cache: -1 }, 'client_cache: give a number of whole seconds, or 0'],
  [
    'a guard that is no function',
    { guards: { mine: {} } },
    'guards: give a function for each name: it gets a realm and returns a guard',
  ],
  [
    'a map of realms',
    { realms: { acme: {} } },
    'realms: give a function that looks up a realm; a map of realms is oidc.realms',
  ],
  ['oidc is a text', { oidc: ISSUER }, 'oidc: give an object, not a string'],
  ['app_url is no text', { oidc: {}, app_url: 3000 }, 'app_url: give the issuer as a string'],
  [
    'an unknown oidc key',
    { oidc: { issuer: ISSUER, tokens: { acess_token: 60 } } },
    'oidc.tokens.acess_token: there is no such key; did you mean access_token?',
  ],
  [
    'a wrong type of an oidc key',
    { oidc: { issuer: ISSUER, tokens: { access_token: '60' } } },
    'oidc.tokens.access_token: give a number',
  ],
  [
    'oidc.realms is a list',
    { oidc: { issuer: ISSUER, realms: ['acme'] } },
    'oidc.realms: give an object of realms by their ids',
  ],
  [
    'a realm is no object',
    { oidc: { issuer: ISSUER, routes: { realms: 'path' }, realms: { acme: null } } },
    'oidc.realms.acme: give an object of oidc keys',
  ],
])('%s', (_mistake, options, message) => {
  expect(messageFor({ ...VALID, ...options })).toBe(message)
})

it('all faults of all options are in one error, a line for each', () => {
  expect(messageFor({})).toBe(
    [SECRET_MISSING, STORAGE_MISSING, ACCOUNTS_MISSING, INTERACTIONS_MISSING, ISSUER_MISSING].join('\n'),
  )
  const oidc = {
    issuer: ISSUER,
    routes: { realms: 'path' },
    realms: { a: { tokens: { id_token: 0 } }, b: { issuer: 'x' } },
  }
  expect(messageFor({ ...VALID, now: 1, oidc })).toBe(
    [
      'now: give a function, not a number',
      'oidc.realms.a.tokens.id_token: give more than 0',
      'oidc.realms.b.issuer: a realm cannot override this key',
    ].join('\n'),
  )
})

it('without options, the error says so', () => {
  expect(messageFor(undefined)).toBe('the options: give an object, not undefined')
})

it('a message never repeats a secret', () => {
  const secret = 'p'.repeat(31)
  expect(messageFor({ ...VALID, secret })).not.toContain(secret)
})

it('valid options, of a class too, are accepted', () => {
  class Users {
    readonly table = new Map<string, string>()
    find = async () => null
  }
  expect(messageFor({ ...VALID, accounts: new Users() })).toBe('no error')
  expect(messageFor({ ...VALID, on_event: undefined, claims: undefined })).toBe('no error')
})

it('memoryStorage instead of memoryStorage() is reported by the first request', async () => {
  const causes: unknown[] = []
  const storage = memoryStorage as unknown as ProviderOptions['storage']
  const provider = createProvider({
    ...VALID,
    storage,
    on_event: (event) => void (event.type === 'server.error' && causes.push(event.cause)),
  })
  const response = await provider.fetch(new Request(`${ISSUER}/.well-known/jwks.json`))
  expect(response.status).toBe(500)
  expect(String(causes[0])).toContain(
    'storage: it returns no stores; call the function that makes the storage: memoryStorage()',
  )
})
