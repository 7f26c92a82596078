/** Each wrong option of createIdentity is answered at creation: one ConfigError, with path and remedy of every fault. */

import { ConfigError } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { expect, it } from 'vitest'
import { createIdentity, type IdentityOptions, memoryUsers } from '../src/index.js'

const storage = memoryStorage()
const VALID: IdentityOptions = {
  users: memoryUsers(),
  throttle: (realm) => storage(realm).throttle,
  secret: 'only-for-tests-only-for-tests-only-for-tests',
}

function messageFor(options: unknown): string {
  try {
    createIdentity(options as IdentityOptions)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message
  }
  return 'no error'
}

const USERS_MISSING = 'users: missing; give memoryUsers() to try it out, or the users of a database'
const THROTTLE_MISSING =
  'throttle: missing; give a function that returns the counters of a realm: (realm) => storage(realm).throttle'
const SECRET_MISSING =
  'secret: missing; give at least 32 random characters, such as the output of: openssl rand -base64 32'

it.each<[mistake: string, options: object, message: string]>([
  ['no users', { users: undefined }, USERS_MISSING],
  ['no throttle', { throttle: undefined }, THROTTLE_MISSING],
  ['no secret', { secret: undefined }, SECRET_MISSING],
  ['a short secret', { secret: 'short' }, 'secret: give at least 32 random characters'],
  [
    'a weak secret',
    { secret: 'a'.repeat(40) },
    'secret: it repeats few characters: give at least 32 random ones',
  ],
  [
    'a secret of bytes',
    { secret: new Uint8Array(32) },
    'secret: give the characters as a string, not an object',
  ],
  ['an unknown option', { user: VALID.users }, 'user: there is no such option; did you mean users?'],
  [
    'a store as throttle',
    { throttle: storage('default').throttle },
    'throttle: give a function, not an object',
  ],
  ['a text as theme', { theme: 'dark' }, 'theme: give an object, not a string'],
  [
    'a bad logo',
    { theme: { logo_url: 'logo.png' } },
    'theme.logo_url: give an https URL, a path of this origin that starts with a single /, or a data: URL of an image',
  ],
  ...[{ name: 'upstream' }, [{}], [{ name: '' }], [null], [{ name: 'upstream' }, { name: 'upstream' }]].map(
    (extensions): [string, object, string] => [
      `extensions that are ${JSON.stringify(extensions)}`,
      { extensions, replays: (realm: string) => storage(realm).replays },
      'extensions: give a list of what functions such as createUpstreams return, each at most once',
    ],
  ),
  [
    'extensions without replays',
    { extensions: [{ name: 'upstream' }] },
    'replays: missing; extensions need it: (realm) => storage(realm).replays',
  ],
  ['a function as abuse', { abuse: () => 'ok' }, 'abuse: give an object, not a function'],
  ['abuse without a check', { abuse: {} }, 'abuse.check: missing; give a function'],
  [
    'an unknown limit',
    { limits: { failure: 3 } },
    'limits: failure: give positive whole numbers for failures and window',
  ],
  [
    'no failure at all',
    { limits: { failures: 0 } },
    'limits: failures: give positive whole numbers for failures and window',
  ],
  [
    'half a hasher',
    { passwords: { hash: async () => '', stale: () => false } },
    'passwords.verify: missing; give a function',
  ],
  ['languages as a list', { languages: ['de'] }, 'languages: give an object, not an array'],
  [
    'a text that leaves the name of the application out',
    { languages: { catalogs: [{ language: 'pt', messages: { 'consent.title': 'Permitir?' } }] } },
    'languages.catalogs.0.messages.consent.title: the parameter {application} is missing',
  ],
  [
    'an unknown default language',
    { languages: { default: 'pt' } },
    'languages.default: there is no such language; the languages are en, de, fr',
  ],
  [
    'an unknown option of the languages',
    { languages: { files: [] } },
    'languages.files: there is no such option',
  ],
  ['account is a text', { account: 'yes' }, 'account: give true or false'],
  ['now is a number', { now: 1 }, 'now: give a function, not a number'],
])('%s', (_mistake, options, message) => {
  expect(messageFor({ ...VALID, ...options })).toBe(message)
})

it('all faults are in one error, the theme too', () => {
  const theme = { variables: { '--ostiary-accent': 'red;' } }
  expect(messageFor({ theme })).toBe(
    [
      USERS_MISSING,
      THROTTLE_MISSING,
      SECRET_MISSING,
      'theme.variables.--ostiary-accent: "red;" is not a plain CSS value',
    ].join('\n'),
  )
})

it('valid options are accepted', () => {
  expect(messageFor({ ...VALID, limits: { window: 60 }, account: false, theme: { name: 'Notes' } })).toBe(
    'no error',
  )
})
