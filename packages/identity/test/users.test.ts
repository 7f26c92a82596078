import { hash } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import {
  argon2Passwords,
  createUser,
  memoryUsers,
  setDisabled,
  setPassword,
  type User,
  UserError,
  type UserStore,
  updateUser,
  upsertUser,
} from '../src/index.js'
import { setup } from './_setup.js'

const PASSWORD = 'correct horse'
const store = () => memoryUsers()('default')
const ada = { username: 'Ada', password: PASSWORD, email: 'ada@example.com', email_verified: true }

describe('upsertUser', () => {
  it('creates, keeps or updates a user', async () => {
    const users = store()
    const now = () => 1_800_000_000
    expect(await upsertUser(users, ada, { now })).toMatchObject({ outcome: 'created', other_password: false })
    const created = await users.findByUsername('ada')
    expect(created).toMatchObject({
      username: 'Ada',
      username_key: 'ada',
      created_at: now(),
      updated_at: now(),
      disabled_at: null,
      credential_version: 0,
      second_step: false,
      claims: { email: 'ada@example.com', email_verified: true },
      sub: expect.stringMatching(/^[\w-]{22}$/),
    })
    expect(await upsertUser(users, ada, { now })).toMatchObject({
      outcome: 'unchanged',
      other_password: false,
    })
    expect(await users.findByUsername('ada')).toEqual(created)

    expect(await upsertUser(users, { username: 'ADA', email: 'new@example.com' }, { now })).toMatchObject({
      outcome: 'updated',
    })
    const updated = await users.findByUsername('ada')
    expect(updated).toMatchObject({
      username: 'ADA',
      claims: { email: 'new@example.com' },
      sub: created?.sub,
    })
    expect(updated?.claims).not.toHaveProperty('email_verified')
    expect(updated?.password_hash).toBe(created?.password_hash)
    expect(updated?.updated_at).toBe(now() + 1)
  })

  it('keeps a stored password', async () => {
    const users = store()
    const passwords = argon2Passwords()
    await upsertUser(users, { username: 'ada', sub: 'one' })
    expect(await upsertUser(users, ada)).toEqual({ sub: 'one', outcome: 'updated', other_password: false })
    await setPassword(users, { sub: 'one', password: 'battery staple' })
    const changed = await users.find('one')
    expect(await upsertUser(users, ada)).toEqual({ sub: 'one', outcome: 'unchanged', other_password: true })
    expect(await users.find('one')).toEqual(changed)
    expect(await passwords.verify(changed?.password_hash ?? null, 'battery staple')).toBe(true)
  })

  it('does not overwrite a password that the user changes at the same time', async () => {
    const users = store()
    await createUser(users, { ...ada, sub: 'one' })
    let changed = false
    const changingUsers: UserStore = {
      ...users,
      async find(sub) {
        const user = await users.find(sub)
        if (!changed) {
          changed = true
          await setPassword(users, { sub, password: 'battery staple' })
        }
        return user
      },
    }
    await upsertUser(changingUsers, { ...ada, name: 'Ada' })
    const user = await users.find('one')
    expect(user?.claims).toHaveProperty('name', 'Ada')
    expect(await argon2Passwords().verify(user?.password_hash ?? null, 'battery staple')).toBe(true)
  })

  it('renews a weak hash of the same password', async () => {
    const users = store()
    await createUser(users, { username: 'ada', sub: 'one' })
    const stored = await users.find('one')
    if (!stored) throw new Error('Ada is missing')
    const password_hash = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    await users.update({ ...stored, password_hash, updated_at: stored.updated_at + 1 }, stored.updated_at)
    expect(await upsertUser(users, { username: 'ada', password: PASSWORD })).toEqual({
      sub: 'one',
      outcome: 'updated',
      other_password: false,
    })
    expect((await users.find('one'))?.password_hash).toContain('m=19456,t=2,p=1')
  })

  it('never changes a sub', async () => {
    const users = store()
    await upsertUser(users, { ...ada, sub: 'one' })
    await expect(upsertUser(users, { ...ada, sub: 'two' })).rejects.toThrow(
      /"one", and a sub is never reassigned/,
    )
    expect(await upsertUser(users, { ...ada, sub: 'one', username: 'Lovelace' })).toMatchObject({
      outcome: 'updated',
    })
    expect(await users.findByUsername('ada')).toBeNull()
    expect((await users.findByUsername('lovelace'))?.sub).toBe('one')
  })

  it('does not take the username of another account', async () => {
    const users = store()
    await upsertUser(users, { ...ada, sub: 'one' })
    await upsertUser(users, { username: 'bob', sub: 'two' })
    await expect(upsertUser(users, { username: 'ADA', sub: 'two' })).rejects.toThrow(UserError)
  })

  it('creates one user when several servers start at the same time', async () => {
    const users = store()
    const done = await Promise.all(Array.from({ length: 8 }, () => upsertUser(users, { username: 'ada' })))
    expect(done.map(({ outcome }) => outcome).sort()).toEqual(['created', ...Array(7).fill('unchanged')])
    expect(await users.list({ limit: 10 })).toHaveLength(1)
  })

  it('leaves a disabled user disabled', async () => {
    const users = store()
    await upsertUser(users, { ...ada, sub: 'one' })
    await setDisabled(users, { sub: 'one', disabled: true })
    expect(await upsertUser(users, ada)).toMatchObject({ outcome: 'unchanged' })
    expect((await users.find('one'))?.disabled_at).not.toBeNull()
  })

  it('replaces attributes and groups when they are given, and keeps them when they are absent', async () => {
    const users = store()
    const given = { attributes: { level: 3, b: { c: [null] } }, groups: ['staff', 'on call', 'staff'] }
    const stored = { attributes: given.attributes, groups: ['staff', 'on call'] }
    await upsertUser(users, { ...ada, ...given })
    expect(await users.findByUsername('ada')).toMatchObject(stored)
    expect(await upsertUser(users, { ...ada, ...given })).toMatchObject({ outcome: 'unchanged' })
    expect(await upsertUser(users, { ...ada, name: 'Ada' })).toMatchObject({ outcome: 'updated' })
    expect(await users.findByUsername('ada')).toMatchObject({ ...stored, claims: { name: 'Ada' } })
    expect(await upsertUser(users, { ...ada, groups: [], name: 'Ada' })).toMatchObject({ outcome: 'updated' })
    expect(await users.findByUsername('ada')).toMatchObject({ ...stored, groups: [] })
    await upsertUser(users, { ...ada, attributes: { zero: -0 } })
    expect(await upsertUser(users, { ...ada, attributes: { zero: -0 } })).toMatchObject({
      outcome: 'unchanged',
    })
    expect((await users.findByUsername('ada'))?.attributes).toEqual({ zero: 0 })
    await upsertUser(users, { username: 'bob' })
    expect(await users.findByUsername('bob')).toMatchObject({ attributes: null, groups: null })
  })

  it.each([
    [{ username: 'ada', attributes: { a: 'x\0' } }, 'user "ada": attribute "a": a text must not contain NUL'],
    [{ username: 'ada', groups: ['a\0'] }, 'user "ada": groups.0 must have'],
    [{ username: '' }, 'a username has 1 to 255 characters'],
    [{ username: 'a\0b' }, 'control characters'],
    [{ username: 'ada', sub: '' }, 'a sub has'],
    [{ username: 'ada', sub: 'é' }, 'a sub has'],
    [{ username: 'ada', sub: 'x'.repeat(256) }, 'a sub has'],
    [{ username: 'ada', password: 'short' }, 'fewer than 8'],
    [{ username: 'ada', email: 5 }, 'email must be a string'],
    [{ username: 'ada', email_verified: 'yes' }, 'email_verified must be a boolean'],
    [{ username: 'ada', $groups: ['x'] }, 'the name of a claim must not begin with $, as $groups does'],
    [{ username: 'ada', address: 'Street 1' }, 'address must be an object of strings'],
    [{ username: 'ada', address: { country: 1 } }, 'address must be an object of strings'],
  ])('refuses %j', async (input, fault) => {
    await expect(upsertUser(store(), input)).rejects.toThrow(fault)
  })
})

describe('createUser, setPassword, setDisabled', () => {
  it('createUser refuses a username or sub that is taken', async () => {
    const users = store()
    const { sub } = await createUser(users, ada)
    await expect(createUser(users, { username: 'ada' })).rejects.toThrow('the username is taken')
    await expect(createUser(users, { username: 'bob', sub })).rejects.toThrow(
      'the username or the sub is taken',
    )
  })

  it('setPassword checks the length and the user', async () => {
    const users = store()
    await createUser(users, { username: 'ada', sub: 'one' })
    expect(await setPassword(users, { sub: 'one', password: PASSWORD })).toBe(true)
    expect(await setPassword(users, { sub: 'two', password: PASSWORD })).toBe(false)
    await expect(setPassword(users, { sub: 'one', password: 'short' })).rejects.toThrow(UserError)
  })

  it('simultaneous changes are all kept', async () => {
    const users = store()
    await createUser(users, { username: 'ada', sub: 'one' })
    await Promise.all([
      setPassword(users, { sub: 'one', password: PASSWORD }),
      setDisabled(users, { sub: 'one', disabled: true }),
      upsertUser(users, { username: 'ada', name: 'Ada' }),
    ])
    const user = await users.find('one')
    expect(user?.password_hash).not.toBeNull()
    expect(user?.disabled_at).not.toBeNull()
    expect(user?.claims).toEqual({ name: 'Ada' })
  })
})

describe('memoryUsers', () => {
  const user = (sub: string, username_key: string): User => ({
    sub,
    username: username_key,
    username_key,
    password_hash: null,
    claims: {},
    attributes: null,
    groups: null,
    created_at: 1,
    updated_at: 1,
    disabled_at: null,
    credential_version: 0,
    second_step: false,
  })

  it('keeps realms apart', async () => {
    const users = memoryUsers()
    expect(await users('one').create(user('a', 'ada'))).toBe(true)
    expect(await users('two').find('a')).toBeNull()
    expect(await users('two').create(user('a', 'ada'))).toBe(true)
  })

  it('one of many simultaneous creations succeeds', async () => {
    const users = store()
    const won = await Promise.all(Array.from({ length: 50 }, (_, i) => users.create(user(`s${i}`, 'ada'))))
    expect(won.filter(Boolean)).toHaveLength(1)
    expect(await users.create(user('s0', 'other'))).toBe(false)
  })

  it('one of many simultaneous updates succeeds, and a taken username is refused', async () => {
    const users = store()
    await users.create(user('a', 'ada'))
    await users.create(user('b', 'bob'))
    const next = { ...user('a', 'ada'), updated_at: 2 }
    const won = await Promise.all(Array.from({ length: 50 }, () => users.update(next, 1)))
    expect(won.filter(Boolean)).toHaveLength(1)
    expect(await users.update({ ...user('a', 'bob'), updated_at: 3 }, 2)).toBe(false)
    expect(await users.update(user('c', 'cid'), 1)).toBe(false)
  })

  it('lists copies in pages, in the order of sub', async () => {
    const users = store()
    for (const sub of ['c', 'a', 'b']) await users.create(user(sub, sub))
    const [first, second] = await users.list({ limit: 2 })
    expect([first?.sub, second?.sub]).toEqual(['a', 'b'])
    expect((await users.list({ after: 'b', limit: 2 })).map(({ sub }) => sub)).toEqual(['c'])
    if (first) first.username = 'changed'
    expect((await users.find('a'))?.username).toBe('a')
  })
})

describe('accounts', () => {
  it('are the users that are not disabled', async () => {
    const s = await setup()
    const located = await s.provider.locate(new Request('https://id.example/'))
    if (!located) throw new Error('no realm')
    const users = s.users('default')
    const { sub } = await createUser(users, { username: 'Bob', email: 'bob@example.com' }, { now: () => 5 })
    const { accounts } = s.identity
    expect(await accounts.find(sub, located.realm)).toEqual({
      sub,
      claims: { sub, preferred_username: 'Bob', email: 'bob@example.com', updated_at: 5 },
      attributes: {},
    })
    const more = { attributes: { level: 3 }, groups: ['staff'] }
    await upsertUser(users, { username: 'Bob', ...more }, { now: () => 6 })
    expect((await accounts.find(sub, located.realm))?.attributes).toEqual({ level: 3, groups: ['staff'] })
    await setDisabled(users, { sub, disabled: true })
    expect(await accounts.find(sub, located.realm)).toBeNull()
    expect(await accounts.find('nobody', located.realm)).toBeNull()
    await setDisabled(users, { sub, disabled: false })
    expect(await accounts.find(sub, located.realm)).not.toBeNull()
  })
})

describe('updateUser', () => {
  const stored = async () => {
    const users = store()
    const { sub } = await createUser(users, {
      username: 'Ada',
      email: 'ada@example.com',
      sub: 'ada-1',
      groups: ['a'],
    })
    return { users, sub }
  }

  it('changes the named fields, and says which', async () => {
    const { users, sub } = await stored()
    const change = () => ({ username: ' Ada L ', claims: { email: 'new@example.com' }, groups: null })
    const updated = await updateUser(users, { sub, change })
    expect(updated?.changed).toEqual(['username', 'claims', 'groups'])
    expect(await users.find(sub)).toEqual(updated?.user)
    expect(updated?.user).toMatchObject({
      username: 'Ada L',
      username_key: 'ada l',
      claims: { email: 'new@example.com' },
      groups: null,
    })
    expect(await users.findByUsername('ada')).toBeNull()
    expect(await updateUser(users, { sub, change })).toMatchObject({ changed: [] })
    expect(await updateUser(users, { sub: 'none', change })).toBeNull()
  })

  it('calls the change again when another writer was faster, so that neither change is lost', async () => {
    const { users, sub } = await stored()
    let calls = 0
    const updated = await updateUser(
      {
        ...users,
        async update(user, seen) {
          calls += 1
          if (calls === 1) await updateUser(users, { sub, change: () => ({ groups: ['a', 'first'] }) })
          return users.update(user, seen)
        },
      },
      { sub, change: ({ groups }) => ({ groups: [...(groups ?? []), 'second'] }) },
    )
    expect([calls, updated?.user.groups]).toEqual([2, ['a', 'first', 'second']])
  })

  it.each([
    [{ username: 'BOB' }, 'user "Ada": the username "BOB" is taken'],
    [{ username: '' }, 'user "Ada": a username has 1 to 255 characters, and no control characters'],
    [{ claims: { email_verified: 'yes' } }, 'user "Ada": email_verified must be a boolean'],
    [{ groups: ['a', 'a'.repeat(256)] }, 'user "Ada": '],
  ])('refuses %j', async (changes, fault) => {
    const { users, sub } = await stored()
    await createUser(users, { username: 'bob' })
    const before = await users.find(sub)
    await expect(updateUser(users, { sub, change: () => changes })).rejects.toThrow(fault)
    expect(await users.find(sub)).toEqual(before)
  })
})

it('the sub of a deleted user is never given to another one, not even by a configuration', async () => {
  const users = store()
  await createUser(users, { username: 'ada', sub: 'ada-1' })
  await users.delete('ada-1')
  await expect(createUser(users, { username: 'eve', sub: 'ada-1' })).rejects.toThrow('the sub is taken')
  await expect(upsertUser(users, { username: 'eve', sub: 'ada-1' })).rejects.toThrow(
    'user "eve": the sub "ada-1" is that of a deleted user, and a sub is never reassigned. Take another sub',
  )
  expect(await createUser(users, { username: 'ada' })).toMatchObject({ username: 'ada' })
})
