/** The keys `identity.password.*`, and the passwords that the configuration sets. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryStorage } from '@ostiary/core/memory'
import { memoryUserStores, setPassword } from '@ostiary/identity'
import { passwordRules } from '@ostiary/password-rules'
import { describe, expect, it } from 'vitest'
import { readConfig, syncRealms } from '../src/index.ts'
import { passwordRulesOf, realmPasswordRules } from '../src/server/password-rules.ts'
import { configure, FILE, faults, folder, PASSWORD, SECRET } from './support.ts'

const withRules = (keys: object = {}, more: object = {}) => ({
  ...FILE,
  identity: { password: { rules: true, ...keys }, ...more },
})
const withUser = (password: string, file: object = withRules()) => ({
  ...file,
  users: [{ username: 'ann', email: 'ann.smith@example.com', password }],
})

describe('identity.password', () => {
  it('without rules, there are none, and nothing is loaded', async () => {
    const config = await configure(FILE)
    expect(config).not.toHaveProperty('password_rules')
    expect(await passwordRulesOf(config)).toBeUndefined()
    expect(await realmPasswordRules(config, 'default')).toBeNull()
  })

  it.each([
    ['rules alone', {}, {}, 15],
    ['a required second factor', {}, { second_factor: 'required' }, 8],
    ['an optional second factor', {}, { second_factor: 'optional' }, 15],
    ['the lowest min_length', { min_length: 8 }, {}, 8],
    ['the highest min_length', { min_length: 64 }, { second_factor: 'required' }, 64],
  ])('with %s', async (...[, keys, more, min_length]) => {
    const config = await configure(withRules(keys, more))
    expect((await realmPasswordRules(config, 'default'))?.min_length).toBe(min_length)
  })

  it.each([
    [{ rules: true, min_length: 7 }, 'identity.password.min_length: give a whole number from 8 to 64'],
    [{ rules: true, min_length: 65 }, 'identity.password.min_length: give a whole number from 8 to 64'],
    [
      { min_length: 12 },
      'identity.password.min_length: it has no effect without identity.password.rules: set that to true, or remove this key',
    ],
    [
      { rules: false, blocklist_file: 'x' },
      'identity.password.blocklist_file: it has no effect without identity.password.rules: set that to true, or remove this key',
    ],
    [
      { rules: true, enabled: false },
      'identity.password.rules: there are no passwords, since identity.password.enabled is false: remove one of the two',
    ],
  ])('%j is a fault', async (password, expected) => {
    expect((await faults({ ...FILE, users: [], identity: { password } })).join()).toContain(expected)
  })

  it('differs between realms', async () => {
    const config = await configure({
      app: FILE.app,
      oidc: { routes: { realms: 'path' }, realms: { acme: {}, other: {} } },
      realms: { acme: { identity: { password: { rules: true, min_length: 20 } } }, other: {} },
    })
    expect((await realmPasswordRules(config, 'acme'))?.min_length).toBe(20)
    expect(await realmPasswordRules(config, 'other')).toBeNull()
    const rules = await passwordRulesOf(config)
    const realm = { issuer: config.issuer, product: null, second_factor_required: false }
    expect(rules?.({ id: 'acme', ...realm })?.min_length).toBe(20)
    expect(rules?.({ id: 'other', ...realm })).toBeNull()
  })

  it('blocklist_file is relative to the folder of the file', async () => {
    const cwd = await folder()
    await writeFile(join(cwd, 'refused.txt'), 'Acme Rocket 2026\n')
    await writeFile(
      join(cwd, 'ostiary.config.json'),
      JSON.stringify(withRules({ blocklist_file: 'refused.txt' })),
    )
    const config = await readConfig({ OIDC_SECRET: SECRET }, cwd)
    const rules = await realmPasswordRules(config, 'default')
    const check = (password: string) => rules?.check({ password, username: 'ann', email: null })
    expect(await check('acme rocket 2026')).toBe('common')
    expect(await check('acme rocket 2027')).toBe('accepted')
  })

  it('a blocklist_file that cannot be read is a fault with its key', async () => {
    expect((await faults(withRules({ blocklist_file: '/no/such/file' }))).join()).toContain(
      'identity.password.blocklist_file: /no/such/file cannot be read (ENOENT)',
    )
  })

  it('knows the product and the host', async () => {
    const config = await configure({ ...withRules(), theme: { name: 'Example Shop' } })
    const rules = await realmPasswordRules(config, 'default')
    const owner = { username: 'ann', email: null }
    expect(await rules?.check({ ...owner, password: 'example shop 2026' })).toBe('accepted')
    expect(await rules?.check({ ...owner, password: 'example shop2026' })).toBe('own_name')
    const host = new URL(config.issuer).hostname
    expect(await rules?.check({ ...owner, password: `${host}123456789` })).toBe('own_name')
  })
})

/** A start: the users of the file are created. */
function world() {
  const people = memoryUserStores()
  const users = people.users('default')
  const stores = {
    clients: memoryStorage()('default').clients,
    users,
    factors: people.factors('default'),
    passkeys: { rp_id: 'localhost' },
  }
  return {
    users,
    async start(file: object) {
      const config = await configure(file)
      const password_rules = await realmPasswordRules(config, 'default')
      return syncRealms(
        config.realms,
        () => ({ ...stores, password_rules }),
        () => 1000,
      )
    },
  }
}

describe('the password of a user of the file', () => {
  it.each([
    ['fourteen chars', 'the password has fewer than 15 characters'],
    ['abcabcabcabcabcabc', 'the password has too few different characters'],
    ['ann.smith@example.com1', 'the password is the name or address of the user'],
    ['q1w2e3r4t5y6u7i8o9p0', 'the password is a common one, which attackers try first'],
  ])('%j is a fault, and nothing is stored', async (password, clause) => {
    const w = world()
    await expect(w.start(withUser(password))).rejects.toThrow(`users.0.password: ${clause}`)
    await expect(w.start(withUser(password))).rejects.toThrow(
      'identity.password.rules is true: choose another one, or create the user with ostiary user create --force',
    )
    expect(await w.users.findByUsername('ann')).toBeNull()
  })

  it('is stored where it is a good one, and where there are no rules', async () => {
    await world().start(withUser(PASSWORD))
    await world().start(withUser('password1', FILE))
  })

  it('that is stored already stays valid, and a changed one too', async () => {
    const w = world()
    await w.start(withUser('password1', FILE))
    const before = await w.users.findByUsername('ann')
    await w.start(withUser('password1'))
    expect(await w.users.findByUsername('ann')).toEqual(before)
    await setPassword(w.users, { sub: before?.sub ?? '', password: 'another one' })
    const changed = await w.users.findByUsername('ann')
    await w.start(withUser('password1'))
    expect(await w.users.findByUsername('ann')).toEqual(changed)
  })
})

it('the list has the passwords that the tests of the host take for common ones', async () => {
  const realm = { id: 'r', issuer: 'https://id.example', product: null, second_factor_required: true }
  const check = (password: string) => passwordRules()(realm).check({ password, username: 'u', email: null })
  expect(await Promise.all(['password1', PASSWORD].map(check))).toEqual(['common', 'accepted'])
})
