/** Users who come from another system: the first sign-in replaces the hash, and nothing that has changed meanwhile. */

import { argon2Passwords, setPassword, type User } from '@ostiary/identity'
import { isOwnHash, withOlderHashes } from '@ostiary/password-hashes'
import { cookieJar, hiddenField } from '@ostiary/test-kit/browser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresUsers } from '../src/index.js'
import { executorIn, hold, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { ISSUER, newUser, server, signsIn } from './_sign-in.js'

const PASSWORD = 'correct horse'
/** Of this password; packages/password-hashes/test/_vectors.ts says which programs have made them. */
const HASHES = {
  bcrypt: '$2y$05$PqOknT0mJ2rmsGKQe8q97ugbazcqo0Y0FIxrdDBF8gK1V/ZT7xvky',
  ssha: '{SSHA}yp0NMycviPuwP7OgZkIJqW/x1QZcS+kd',
  scrypt: '$scrypt$ln=10,r=8,p=1$n3OOca5Vag2BsHZuDQHgvA$zkWOWT3v4TQMCBjzk3iy6KYcdlWDzJGV4OyH33j1BMs',
  pbkdf2: '$pbkdf2-sha256$1000$L2WMkbL23hsjpJSSUirFeA$b3oPNJRSlVpkmwM8UMLzKBhqWkcn5EaWY3J9TVVXmpU',
  argon2d: '$argon2d$v=19$m=1024,t=2,p=1$c29tZXNhbHQ4$Za9NCsc9H3j2HkA0Sa7oWN3k0pc0GcRypYXuJXcy2Xw',
}

let database: OwnDatabase
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

/** A server whose users have come from another system. */
async function place(sub: string, password_hash: string) {
  const { handle, users } = server(database.executor, { passwords: withOlderHashes(argon2Passwords()) })
  expect(await users.create({ ...newUser(sub), password_hash })).toBe(true)
  return {
    users,
    async signIn(password: string): Promise<Response> {
      const url = `${ISSUER}/login?return_to=%2Faccount`
      const jar = cookieJar()
      const page = await handle(new Request(url))
      jar.keep(page)
      const csrf_token = hiddenField(await page.text(), 'csrf_token')
      const body = new URLSearchParams({ return_to: '/account', csrf_token, username: sub, password })
      return handle(
        new Request(`${ISSUER}/login`, { method: 'POST', headers: { cookie: jar.header() }, body }),
      )
    },
    stored: async () => (await users.find(sub)) as User,
  }
}

it.each(Object.entries(HASHES))(
  '%s: the right password signs in, and gets an own hash',
  async (name, hash) => {
    const { signIn, stored } = await place(`first-${name}`, hash)
    expect(signsIn(await signIn('wrong horse'))).toBe(false)
    expect(signsIn(await signIn(''))).toBe(false)
    expect(await stored()).toMatchObject({ password_hash: hash })

    expect(signsIn(await signIn(PASSWORD))).toBe(true)
    const renewed = await stored()
    expect(isOwnHash(String(renewed.password_hash))).toBe(true)
    // The password is the same: what other browsers have begun goes on.
    expect(renewed.credential_version).toBe(0)

    expect(signsIn(await signIn(PASSWORD))).toBe(true)
    expect(await stored()).toEqual(renewed)
  },
)

it('a hash that costs too much lets no one in, and stays', async () => {
  // By PHP 8.2, with cost 13.
  const hash = '$2y$13$wtPZqOBaABjecujHe/iwpu4qsxh/qQbxmaCjJ3o5TdJuJj5NbxJq.'
  const { signIn, stored } = await place('too-much', hash)
  expect(signsIn(await signIn(PASSWORD))).toBe(false)
  expect(await stored()).toMatchObject({ password_hash: hash })
})

/** The user has changed the password, and the change is not committed when the old one signs in. */
async function duringChange(sub: string) {
  const made = await place(sub, HASHES.ssha)
  const held = await hold(database.executor, (tx) =>
    setPassword(postgresUsers(executorIn(tx))('default'), { sub, password: 'a new password' }),
  )
  const signing = made.signIn(PASSWORD)
  expect(await untilItWaits(database.executor, signing)).toBe(true)
  return { ...made, held, signing }
}

it('a password that is changed during the first sign-in stays, and the old one signs no one in', async () => {
  const { held, signing, stored, signIn } = await duringChange('changed')
  await held.commit()
  expect(signsIn(await signing)).toBe(false)
  const { password_hash } = await stored()
  expect(await argon2Passwords().verify(password_hash, 'a new password')).toBe(true)
  expect(signsIn(await signIn(PASSWORD))).toBe(false)
  expect(signsIn(await signIn('a new password'))).toBe(true)
})

it('the first sign-in goes on when the change is taken back', async () => {
  const { held, signing, stored } = await duringChange('kept')
  await held.rollback()
  expect(signsIn(await signing)).toBe(true)
  const { password_hash } = await stored()
  expect(await argon2Passwords().verify(password_hash, PASSWORD)).toBe(true)
})

it('several browsers at once: all sign in, and the password stays', async () => {
  const { signIn, stored } = await place('at-once', HASHES.ssha)
  const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(PASSWORD)))
  expect(answers.map(signsIn)).toEqual(Array(5).fill(true))
  const { password_hash, credential_version } = await stored()
  expect(await argon2Passwords().verify(password_hash, PASSWORD)).toBe(true)
  expect(credential_version).toBe(0)
})
