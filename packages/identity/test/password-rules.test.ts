/** Every place that sets a password asks the rules of the application. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  createUser,
  type NewPassword,
  type PasswordRealm,
  type PasswordRules,
  setPassword,
  upsertUser,
} from '../src/index.js'
import { alertOf, CHANGE, NEW_PASSWORD, postAccount, signedIn, signInAt, subOf } from './_account.js'
import { addPasskey, signedInWithPasskey, syncedPasskey, withFactors } from './_factors.js'
import { ask, lastLink, mailWorld, resetWith } from './_mail.js'
import { begun, newPassword, send } from './_recovery.js'
import { browser, PASSWORD, plainPasswords, type Setup, type SetupOptions, setup } from './_setup.js'

const REFUSED = 'a bad one of four words'
const UNCHECKED = 'an unchecked one of words'

/** Rules that refuse one password, and remember what they were asked. */
function rules() {
  const asked: NewPassword[] = []
  const realms: PasswordRealm[] = []
  const of: PasswordRules = {
    min_length: 15,
    async check(candidate) {
      asked.push(candidate)
      if (candidate.password === UNCHECKED) return 'unchecked'
      return candidate.password === REFUSED ? 'common' : 'accepted'
    },
  }
  const password_rules = (realm: PasswordRealm) => {
    realms.push(realm)
    return of
  }
  return { asked, realms, of, identity: { password_rules } }
}

type World = Setup & { set: (password: string) => Promise<Response> }
type Place = (options: SetupOptions) => Promise<World>

const both = { second_factor: 'optional' as const, passkeys: { enabled: true } }
const plain = { passwords: plainPasswords }

/** By the source file that sets the password. */
const PLACES: Record<string, Record<string, Place>> = {
  'account/actions.ts': {
    'the change on the account page': async ({ identity, ...options }) => {
      const s = await setup({ stored: plainPasswords, ...options, identity: { ...plain, ...identity } })
      const b = await signedIn(s)
      const set = (password: string) => postAccount(s, b, { ...CHANGE, ...newPassword(password) })
      return { ...s, set }
    },
  },
  'account/without-password.ts': {
    'the first password on the account page': async (options) => {
      const s = await withFactors({ settings: both, ...options })
      const first = await signedIn(s)
      const passkeys = [syncedPasskey(), syncedPasskey()]
      for (const passkey of passkeys) await addPasskey(s, first, passkey)
      const b = await signedInWithPasskey(s, passkeys[0] ?? syncedPasskey())
      await postAccount(s, b, { action: 'remove_password' })
      const set = (password: string) =>
        postAccount(s, b, { action: 'set_password', ...newPassword(password) })
      return { ...s, set }
    },
  },
  'mail/reset.ts': {
    'the link of a mail': async (options) => {
      const s = await mailWorld(options)
      await ask(s)
      return { ...s, set: (password) => resetWith(browser(s), lastLink(s), password) }
    },
  },
  'recovery/recovery.ts': {
    'the link of an operator': async ({ identity, ...options }) => {
      const s = await setup({ stored: plainPasswords, ...options, identity: { ...plain, ...identity } })
      const { b, html } = await begun(s)
      return { ...s, set: (password) => send(b, html, { action: 'password', ...newPassword(password) }) }
    },
  },
}

const ROWS = Object.values(PLACES).flatMap((places) => Object.entries(places))

describe.each(ROWS)('%s', (_, place) => {
  it('refuses a password with the reason, and then accepts a good one', async () => {
    const { identity, asked } = rules()
    const s = await place({ identity })
    expect(asked).toEqual([])
    const answer = await s.set(REFUSED)
    expect(answer.status).toBe(422)
    expect(await alertOf(answer)).toBe(
      'The new password is a common one, which attackers try first. Choose another.',
    )
    expect(s.events.at(-1)).toMatchObject({
      type: 'password.refused',
      reason: 'common',
      sub: await subOf(s),
      realm: 'default',
    })
    expect(JSON.stringify(s.events)).not.toContain(REFUSED)
    expect((await signInAt(s, browser(s), { password: REFUSED })).status).toBe(422)
    expect((await s.set(NEW_PASSWORD)).status).toBe(303)
    expect(asked.map(({ password, username }) => [password, username])).toEqual([
      [REFUSED, 'Ada'],
      [NEW_PASSWORD, 'Ada'],
    ])
  })

  it('says the minimum length of the rules, and asks them nothing about a shorter or too long one', async () => {
    const { identity, asked } = rules()
    const s = await place({ identity })
    for (const password of ['fourteen chars', 'a'.repeat(1025), '😀'.repeat(14), 'e\u0301'.repeat(14)]) {
      const answer = await s.set(password)
      const html = await answer.text()
      expect([password, answer.status]).toEqual([password, 422])
      expect(html).toContain('minlength="15"')
      expect(html).toContain('At least 15 characters.')
      expect(html).toContain(password.length > 1024 ? 'more than 1,024' : 'fewer than 15 characters')
    }
    expect(asked).toEqual([])
    expect((await s.set('fifteen chars..')).status).toBe(303)
  })

  it('accepts 1,024 characters', async () => {
    const { identity } = rules()
    expect((await (await place({ identity })).set('a'.repeat(1024))).status).toBe(303)
  })

  it('accepts a password that could not be checked, and reports that', async () => {
    const { identity } = rules()
    const s = await place({ identity })
    expect((await s.set(UNCHECKED)).status).toBe(303)
    expect(s.events.filter(({ type }) => type === 'password.unchecked')).toMatchObject([
      { sub: await subOf(s), realm: 'default' },
    ])
  })

  it('without rules takes what it took: eight characters', async () => {
    const s = await place({})
    const answer = await s.set('1234567')
    expect(await answer.text()).toContain('fewer than 8 characters')
    expect((await s.set('12345678')).status).toBe(303)
  })

  it('in a realm whose rules are null, too', async () => {
    const s = await place({ identity: { password_rules: () => null } })
    expect((await s.set('12345678')).status).toBe(303)
  })
})

it('every file that stores a password of a user has its row', () => {
  const folder = fileURLToPath(new URL('../src', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /\b(?:hashedPassword|storePassword)\(c|\.hash\(\w*\.?password/.test(read(file)))
  const OTHERS = {
    // The hash of the operator's functions, below; of the right password at a sign-in; and for the pages of the rows.
    'users/manage-users.ts': true,
    'sign-in/login.ts': true,
    'sign-in/new-password.ts': true,
  }
  expect(files.filter((file) => !(file in OTHERS)).sort()).toEqual(Object.keys(PLACES).sort())
  for (const file of Object.keys(PLACES)) expect(read(file)).toContain('await newPasswordFault(')

  function read(file: string): string {
    return readFileSync(join(folder, file), 'utf8')
  }
})

describe('the rules', () => {
  it('are not asked at a sign-in: a stored password stays valid', async () => {
    const { identity, asked } = rules()
    const s = await setup({ identity })
    expect(PASSWORD.length).toBeLessThan(15)
    expect((await signInAt(s, browser(s))).status).toBe(303)
    expect((await signInAt(s, browser(s), { password: REFUSED })).status).toBe(422)
    expect(asked).toEqual([])
    expect(s.events.map(({ type }) => type)).not.toContain('password.refused')
  })

  it.each([
    ['without a second factor', {}, null, false],
    ['with an optional one', { settings: both }, null, false],
    ['with a required one', { settings: { second_factor: 'required' as const } }, null, true],
    ['with a product', { identity: { theme: { name: 'Shop' } } }, 'Shop', false],
  ])('know the realm: %s', async (...[, options, product, second_factor_required]) => {
    const { identity, realms } = rules()
    const s = await setup({
      ...options,
      identity: { ...('identity' in options && options.identity), ...identity },
    })
    await browser(s).get(`${s.base('default')}/login`)
    expect(realms.at(-1)).toEqual({
      id: 'default',
      issuer: 'https://id.example',
      product,
      second_factor_required,
    })
  })

  it('know the address of the account', async () => {
    const { identity, asked } = rules()
    const s = await mailWorld({ identity })
    await ask(s)
    await resetWith(browser(s), lastLink(s), NEW_PASSWORD)
    expect(asked).toEqual([{ password: NEW_PASSWORD, username: 'Ada', email: 'ada@example.com' }])
  })
})

describe('the functions of an operator', () => {
  const ERROR = 'user "bob": the password is a common one, which attackers try first'

  it('refuse a password against the rules, and store nothing', async () => {
    const s = await setup()
    const users = s.users('default')
    const options = { password_rules: rules().of, passwords: plainPasswords }
    const input = { username: 'bob', password: REFUSED }
    await expect(createUser(users, input, options)).rejects.toThrow(ERROR)
    await expect(upsertUser(users, input, options)).rejects.toThrow(ERROR)
    await expect(createUser(users, { ...input, password: 'fourteen chars' }, options)).rejects.toThrow(
      'user "bob": the password has fewer than 15 characters',
    )
    expect(await users.findByUsername('bob')).toBeNull()
    const { sub } = await createUser(users, { ...input, password: NEW_PASSWORD }, options)
    await expect(setPassword(users, { sub, password: REFUSED }, options)).rejects.toThrow(ERROR)
    expect((await users.find(sub))?.password_hash).toBe(`plain ${NEW_PASSWORD}`)
    expect(await setPassword(users, { sub, password: UNCHECKED }, options)).toBe(true)
  })

  it('keep a stored password, and check one for a user without', async () => {
    const s = await setup()
    const users = s.users('default')
    const options = { password_rules: rules().of, passwords: plainPasswords }
    await createUser(users, { username: 'bob', password: REFUSED }, { passwords: plainPasswords })
    const kept = await upsertUser(users, { username: 'bob', password: REFUSED }, options)
    expect(kept.outcome).toBe('unchanged')
    await createUser(users, { username: 'cem' })
    await expect(upsertUser(users, { username: 'cem', password: REFUSED }, options)).rejects.toThrow(
      'user "cem": the password is a common one',
    )
  })
})
