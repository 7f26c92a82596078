/** What a simulation says about a sign-in is what the pages then do. */

import { createEmailCodes } from '@ostiary/email-codes'
import {
  DEFAULT_LOGIN_LIMITS,
  loginThrottles,
  memoryUserStores,
  passkeysFor,
  signInSettings,
} from '@ostiary/identity'
import { createUpstreams } from '@ostiary/upstream'
import { beforeEach, describe, expect, it } from 'vitest'
import { browserAt, isSignedIn, place } from '../../email-codes/test/_place.ts'
import { createSimulation, type SignInInput, type SignInPlace } from '../src/index.ts'
import { CORE, UNLIMITED_MS } from './_place.ts'

const SECRET = 'a secret of this test, 32 characters'
const github = { type: 'github', client_id: 'id', client_secret: 'secret', name: 'GitHub' } as const
const corp = {
  type: 'oidc',
  issuer: 'https://corp.example',
  client_id: 'id',
  client_secret: 'secret',
  name: 'Corp',
  domains: ['away.example'],
  only: true,
} as const

async function world(
  settings: Parameters<typeof signInSettings>[1] = { second_factor: 'optional' },
  others: SignInPlace['extensions'] = [],
) {
  const stores = memoryUserStores()
  const upstreams = createUpstreams({ realms: { default: { github, corp } }, links: stores.links })
  const p = await place({ settings, stores, others: [upstreams] })
  const located = await p.provider.locate(new Request('https://id.example/login'))
  if (located === null) throw new Error('There is no realm')
  const throttles = loginThrottles({
    realm: 'default',
    throttle: p.storage('default').throttle,
    secret: SECRET,
  })
  const where: SignInPlace = {
    realm: 'default',
    settings: signInSettings(located.realm, settings),
    users: p.users('default'),
    factors: p.factors('default'),
    links: stores.links('default'),
    addresses: null,
    throttles: {
      list: async (selection) =>
        (await throttles.list(selection, p.clock.now)).map(({ failures, ...rest }) => ({
          ...rest,
          counted: failures,
        })),
    },
    extensions: [createEmailCodes({ realms: ['default'] }), upstreams, ...others],
    passkeysFor,
  }
  const simulation = createSimulation({
    within_ms: UNLIMITED_MS,
    core: CORE,
    provider: {
      secret: SECRET,
      storage: p.storage,
      accounts: { find: async () => null },
      interactions: { login: async () => new Response() },
    },
  })
  return { p, links: stores.links('default'), ask: (input: SignInInput) => simulation.signIn(where, input) }
}

let w: Awaited<ReturnType<typeof world>>
beforeEach(async () => {
  w = await world()
})

const wayNames = (ways: readonly { way: string }[]) => ways.map(({ way }) => way)

it('the ways are those of the page', async () => {
  const { ways, user, leads_to } = await w.ask({ address: '192.0.2.1' })
  expect(ways).toEqual([
    { way: 'password', name: null },
    { way: 'passkey', name: null },
    { way: 'email-code', name: null },
    { way: 'github', name: 'GitHub' },
    { way: 'corp', name: 'Corp' },
  ])
  expect([user, leads_to]).toEqual([null, null])
  const passkeys = await world({ password: { enabled: false } })
  expect(wayNames((await passkeys.ask({ username: 'x' })).ways)).not.toContain('password')
  const passwords = await world({ passkeys: { enabled: false } })
  expect(wayNames((await passwords.ask({ username: 'x' })).ways)).not.toContain('passkey')
})

it.each([
  ['ada', ['password', 'email-code']],
  ['ann', ['passkey', 'email-code']],
  ['bea', ['password', 'passkey', 'email-code']],
  ['una', ['password']],
])('%s has %j', async (username, ways) => {
  const { user } = await w.ask({ username })
  expect(user).toMatchObject({ is_known: true, username, is_disabled: false })
  expect(user?.is_known && wayNames(user.ways)).toEqual(ways)
})

it('a name that is unknown, a user who is disabled, and a link', async () => {
  expect((await w.ask({ username: 'nobody' })).user).toEqual({ is_known: false })
  expect((await w.ask({ username: '\u0000' })).user).toEqual({ is_known: false })
  expect((await w.ask({ username: 'off' })).user).toMatchObject({ is_known: true, is_disabled: true })
  const { sub, credential_version } = await w.p.user('ada')
  const at = {
    issuer: 'https://github.com',
    subject: '1',
    upstream: 'github',
    label: 'ada',
    linked_at: 1,
    last_used_at: null,
  }
  await w.links.add({ ...at, sub }, { credential_version, now: w.p.clock.now })
  const { user } = await w.ask({ username: 'ADA' })
  expect(user?.is_known && wayNames(user.ways)).toEqual(['password', 'email-code', 'github'])
})

it('tells when an account is deleted, of that one alone', async () => {
  const deletesAt = async (realm: string, { username }: { username: string }) =>
    realm === 'default' && username === 'ada' ? 1_800_600_000 : null
  const { ask } = await world(undefined, [{ name: 'deletion', deletesAt }])
  expect((await ask({ username: 'ada' })).user).toMatchObject({ deletes_at: 1_800_600_000 })
  expect((await ask({ username: 'ann' })).user).not.toHaveProperty('deletes_at')
  expect((await w.ask({ username: 'ada' })).user).not.toHaveProperty('deletes_at')
})

it('a typed domain leads to its provider, known or not', async () => {
  for (const username of ['eve@away.example', 'Nobody@Away.example'])
    expect((await w.ask({ username })).leads_to).toBe('corp')
  expect((await w.ask({ username: 'eve@home.example' })).leads_to).toBeNull()
})

describe.each([
  ['off', 'optional'],
  ['required', 'required'],
] as const)('the second factor: %s', (_, second_factor) => {
  it.each(['ada', 'bea'])('%s is asked as the pages ask', async (username) => {
    const { p, ask } = await world({ second_factor })
    const { user } = await ask({ username })
    const answer = await browserAt(p).signIn(username)
    const said = user?.is_known && user.second_factor
    expect(said === 'none').toBe(isSignedIn(answer))
    expect(said).toBe(
      { optional: { ada: 'none', bea: 'asked' }, required: { ada: 'to_be_added', bea: 'asked' } }[
        second_factor
      ][username as 'ada' | 'bea'],
    )
  })
})

it('limits are those that refuse, and end when it is said; nothing is counted', async () => {
  const { failures: maximum } = DEFAULT_LOGIN_LIMITS
  const from = { address: '192.0.2.1' }
  const input = { username: 'ada', ...from }
  const reached = async () => (await w.ask(input)).limits.filter(({ is_reached }) => is_reached)
  for (let tries = 0; tries < maximum; tries += 1) {
    expect(await reached()).toEqual([])
    await browserAt(w.p, from).signIn('ada', 'wrong')
  }
  const [limit, ...others] = await reached()
  expect(others).toEqual([])
  expect(limit).toMatchObject({ counted: maximum, maximum })
  expect((await browserAt(w.p, from).signIn('ada')).status).toBe(429)
  const again = await reached()
  expect(again).toEqual([limit])
  w.p.clock.now = limit?.until ?? 0
  expect((await w.ask(input)).limits.filter(({ is_reached }) => is_reached)).toEqual([])
  expect(isSignedIn(await browserAt(w.p, from).signIn('ada'))).toBe(true)
})
