/** A stranger cannot tell whether an account has a name: the answers and the work for them are the same for each name. */

import { argon2Passwords, type PasswordHasher, setDisabled, type User, upsertUser } from '@ostiary/identity'
import { cookieJar, hiddenField } from '@ostiary/test-kit/browser'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { factorRecord } from '@ostiary/test-kit/factors/record'
import { authorizeUrl, REDIRECT_URI } from '@ostiary/test-kit/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Executor, postgresStores } from '../src/index.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { clock, ISSUER, PASSWORD, type Server, server } from './_sign-in.js'

/** Each account is named after what is special about it; the names are as long as each other. */
const NAMES = {
  unknown: 'unknown.........',
  password: 'password........',
  factors: 'factors.........',
  second_step: 'second_step.....',
  without_password: 'without_password',
  disabled: 'disabled........',
} as const
type Name = keyof typeof NAMES
const KNOWN = (Object.keys(NAMES) as Name[]).filter((name) => name !== 'unknown')

let database: OwnDatabase
beforeAll(async () => {
  database = await migratedDatabase()
  const { storage, users, factors } = postgresStores(database.executor)
  await storage('default').clients.create(clientRecord({ redirect_uris: [REDIRECT_URI] }))
  const passwords = argon2Passwords()
  const store = users('default')
  for (const name of KNOWN) {
    const password = name === 'without_password' ? {} : { password: PASSWORD }
    await upsertUser(store, { username: NAMES[name], sub: name, ...password }, { passwords })
  }
  for (const sub of ['factors', 'second_step', 'without_password', 'disabled']) {
    const { credential_version } = (await store.find(sub)) as User
    const add = [factorRecord('key', sub, { kind: 'passkey' }), factorRecord('app', sub)]
    const change = { sub, add, second_step: sub === 'second_step' }
    expect(await factors('default').change(change, { credential_version, now: clock.now })).toBe(true)
  }
  expect(await setDisabled(store, { sub: 'disabled', disabled: true })).toBeTruthy()
})
afterAll(() => database.drop())

/** What a server does for a request. */
interface Work {
  /** The texts of the statements, in their order. */
  statements: string[]
  /** The calls of argon2 (packages/identity/src/users/passwords-cost.test.ts: each takes the same work, without a hash too). */
  hashing: string[]
}

/** A server that records its work. */
function recorded(): { server: Server; work: Work } {
  const work: Work = { statements: [], hashing: [] }
  const { executor } = database
  const query: Executor['query'] = (text, params) => {
    work.statements.push(text)
    return executor.query(text, params)
  }
  const argon2 = argon2Passwords()
  const passwords: PasswordHasher = {
    stale: argon2.stale,
    hash(password) {
      work.hashing.push('hash')
      return argon2.hash(password)
    },
    verify(hash, password) {
      work.hashing.push(`verify ${password.length}`)
      return argon2.verify(hash, password)
    },
  }
  return { server: server({ ...executor, query }, { passwords, address: '192.0.2.1' }), work }
}

/** The answer, without the values that differ between visits. */
async function answerOf(response: Response, name: string) {
  const html = (await response.text())
    .replaceAll(name, 'NAME')
    .replace(/((?:name="(?:return_to|csrf_token|passkey_ticket)" value|data-options)=")[^"]*/g, '$1')
  const headers = [...response.headers].map(([key, value]) => [key, key === 'set-cookie' ? '' : value])
  return { status: response.status, headers, html }
}

const LOGIN = `${ISSUER}/login?return_to=%2Faccount`

/** A stranger's browser at the sign-in page, whose form it sends with these fields. */
async function send(name: Name, fields: Record<string, string>) {
  const { server: counted, work } = recorded()
  const jar = cookieJar()
  const page = await counted.handle(new Request(LOGIN))
  jar.keep(page)
  const csrf_token = hiddenField(await page.text(), 'csrf_token')
  work.statements.splice(0)
  const body = new URLSearchParams({ return_to: '/account', csrf_token, username: NAMES[name], ...fields })
  const headers = { cookie: jar.header() }
  const response = await counted.handle(new Request(`${ISSUER}/login`, { method: 'POST', headers, body }))
  return { ...work, ...(await answerOf(response, NAMES[name])) }
}

describe('a stranger who sends', () => {
  it.each<[string, Record<string, string>, hashing: string[]]>([
    ['a wrong password', { password: 'wrong horse' }, ['verify 11']],
    [
      'a wrong password, and that the device can make a passkey',
      { password: 'wrong horse', can_add_passkey: '1' },
      ['verify 11'],
    ],
    ['no password', { password: '' }, ['verify 0']],
    ['a password that is too long', { password: 'x'.repeat(1025) }, ['verify 1025']],
    ['a code without a first proof', { action: 'second_step', proof: 'totp', code: '000000' }, []],
    [
      'a recovery code without a first proof',
      { action: 'second_step', proof: 'recovery', recovery_code: '0000-0000-0000-0000' },
      [],
    ],
    ['a passkey of another page', { action: 'start', passkey: '{}', passkey_ticket: 'x' }, []],
  ])('%s gets the same answer for each name, after the same work', async (_, fields, hashing) => {
    const unknown = await send('unknown', fields)
    expect(unknown.status).toBeGreaterThanOrEqual(400)
    expect(unknown.hashing).toEqual(hashing)
    if (hashing.length > 0) expect(unknown.statements.length).toBeGreaterThan(3)
    for (const name of KNOWN) expect(await send(name, fields), name).toEqual(unknown)
  })
})

it('the sign-in page that an application opens with a name (login_hint) is the same for each name', async () => {
  const open = async (name: Name) => {
    const { server: counted, work } = recorded()
    const asked = await counted.handle(new Request(authorizeUrl(ISSUER, { login_hint: NAMES[name] })))
    const response = await counted.handle(new Request(asked.headers.get('location') ?? ''))
    return { ...work, ...(await answerOf(response, NAMES[name])) }
  }
  const unknown = await open('unknown')
  expect([unknown.status, unknown.hashing]).toEqual([200, []])
  expect(unknown.html).toContain('value="NAME"')
  for (const name of KNOWN) expect(await open(name), name).toEqual(unknown)
})
