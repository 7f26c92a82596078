import { memoryStorage } from '@ostiary/core/memory'
import { argon2Passwords, memoryUserStores, setDisabled, setPassword } from '@ostiary/identity'
import { passkeyRecord } from '@ostiary/test-kit/factors/record'
import { describe, expect, it } from 'vitest'
import { demoEntries } from '../src/config/try-out.ts'
import { syncRealms } from '../src/index.ts'
import { configure, FILE, PASSWORD } from './support.ts'

const CREATED = { created: 1, updated: 0, unchanged: 0 }
const UPDATED = { created: 0, updated: 1, unchanged: 0 }
const UNCHANGED = { created: 0, updated: 0, unchanged: 1 }
const NOTHING_TO_REPORT = { revoked: [], other_passwords: [] }

function world() {
  const people = memoryUserStores()
  const stores = {
    clients: memoryStorage()('default').clients,
    users: people.users('default'),
    factors: people.factors('default'),
    passkeys: { rp_id: 'id.example.com' },
  }
  const writes: string[] = []
  const { clients, users } = stores
  const recorded =
    <Args extends unknown[]>(name: string, update: (...args: Args) => Promise<boolean>) =>
    (...args: Args) => {
      writes.push(name)
      return update(...args)
    }
  const recordedStores = {
    ...stores,
    clients: { ...clients, update: recorded('client', clients.update) },
    users: { ...users, update: recorded('user', users.update) },
  }
  const sync = async (file: object, now: number, env: Record<string, string> = {}) => {
    const { realms } = await configure(file, env)
    const storesOf = () => recordedStores
    const { default: report } = await syncRealms(realms, storesOf, () => now)
    if (!report) throw new Error('There is always a realm default')
    return report
  }
  const ann = () => users.findByUsername('ann')
  return { ...stores, writes, sync, ann }
}

describe('clients and users of the file', () => {
  it('are created at the first start, and not written again at the next', async () => {
    const w = world()
    const file = { ...FILE, clients: [{ ...FILE.clients[0], client_secret: 'a secret of the client' }] }
    expect(await w.sync(file, 1000)).toEqual({ clients: CREATED, users: CREATED, ...NOTHING_TO_REPORT })
    const client = await w.clients.find('app')
    const user = await w.ann()
    expect(await w.sync(file, 2000)).toEqual({ clients: UNCHANGED, users: UNCHANGED, ...NOTHING_TO_REPORT })
    expect(w.writes).toEqual([])
    expect([await w.clients.find('app'), await w.ann()]).toEqual([client, user])
  })

  it('a secret is stored as a hash', async () => {
    const w = world()
    await w.sync(
      { ...FILE, clients: [{ ...FILE.clients[0], client_secret: 'a secret of the client' }] },
      1000,
    )
    const stored = JSON.stringify([await w.clients.find('app'), await w.ann()])
    expect(stored).not.toContain('a secret of the client')
    expect(stored).not.toContain(PASSWORD)
    expect(await w.clients.find('app')).toMatchObject({
      client_secret_hash: expect.stringMatching(/^[\w-]{43}$/),
      token_endpoint_auth_method: 'client_secret_post',
      token_endpoint_auth_methods: ['client_secret_basic', 'client_secret_post'],
    })
  })

  it('a client of an earlier release is updated once', async () => {
    const w = world()
    const file = { ...FILE, clients: [{ ...FILE.clients[0], client_secret: 'a secret of the client' }] }
    await w.sync(file, 1000)
    const client = await w.clients.find('app')
    if (!client) throw new Error('The client is missing')
    await w.clients.update({ ...client, token_endpoint_auth_methods: null })
    expect((await w.sync(file, 2000)).clients).toEqual(UPDATED)
    expect((await w.sync(file, 3000)).clients).toEqual(UNCHANGED)
    expect(await w.clients.find('app')).toEqual(client)
  })

  it('are updated when the file changes; a client keeps its client_id_issued_at', async () => {
    const w = world()
    await w.sync(FILE, 1000)
    const changed = {
      ...FILE,
      clients: [{ ...FILE.clients[0], client_name: 'Renamed', trusted: true }],
      users: [{ ...FILE.users[0], name: 'Ann Other', email: 'ann@example.com' }],
    }
    expect(await w.sync(changed, 2000)).toEqual({ clients: UPDATED, users: UPDATED, ...NOTHING_TO_REPORT })
    expect(await w.clients.find('app')).toMatchObject({
      client_name: 'Renamed',
      trusted: true,
      client_id_issued_at: 1000,
    })
    expect((await w.ann())?.claims).toEqual({ name: 'Ann Other', email: 'ann@example.com' })
  })

  it('attributes and groups are replaced; when the file has none, the stored ones stay', async () => {
    const w = world()
    const file = (changes: object) => ({ ...FILE, users: [{ ...FILE.users[0], ...changes }] })
    await w.sync(file({ attributes: { level: 3 }, groups: ['staff'] }), 1000)
    expect(await w.ann()).toMatchObject({ attributes: { level: 3 }, groups: ['staff'] })
    expect(await w.sync(file({}), 2000)).toMatchObject({ users: UNCHANGED })
    expect(await w.sync(file({ attributes: { team: ['a'] }, groups: [] }), 3000)).toMatchObject({
      users: UPDATED,
    })
    expect(await w.ann()).toMatchObject({ attributes: { team: ['a'] }, groups: [] })
  })

  it('a record that the file no longer names stays', async () => {
    const w = world()
    await w.sync(FILE, 1000)
    await w.sync({ app: FILE.app }, 2000)
    expect(await w.clients.find('app')).not.toBeNull()
    expect(await w.ann()).not.toBeNull()
  })

  it('a revoked client stays revoked and a disabled user disabled after a restart', async () => {
    const w = world()
    await w.sync(FILE, 1000)
    await w.clients.revoke('app', 1500)
    await setDisabled(w.users, { sub: (await w.ann())?.sub ?? '', disabled: true })
    const renamed = { ...FILE, clients: [{ ...FILE.clients[0], client_name: 'Renamed' }] }
    expect(await w.sync(renamed, 2000)).toMatchObject({ clients: UPDATED, revoked: ['app'] })
    expect(await w.clients.find('app')).toMatchObject({ client_name: 'Renamed', revoked_at: 1500 })
    expect((await w.ann())?.disabled_at).not.toBeNull()
  })

  it('a client keeps its mark, and is unchanged with it', async () => {
    const w = world()
    await w.sync(FILE, 1000)
    const record = await w.clients.find('app')
    if (record === null) throw new Error('unreachable')
    await w.clients.delete({ ...record, revoked_at: 1500, expires_at: 1600 })
    await w.clients.forget('app', 1600)
    await w.clients.create({ ...record, not_before: 1599 })
    expect(await w.sync(FILE, 2000)).toMatchObject({ clients: UNCHANGED })
    const renamed = { ...FILE, clients: [{ ...FILE.clients[0], client_name: 'Renamed' }] }
    expect(await w.sync(renamed, 2000)).toMatchObject({ clients: UPDATED })
    expect(await w.clients.find('app')).toMatchObject({ client_name: 'Renamed', not_before: 1599 })
  })

  it('a changed password stays, and the configured one is reported', async () => {
    const w = world()
    await w.sync(FILE, 1000)
    await setPassword(w.users, { sub: (await w.ann())?.sub ?? '', password: 'four words in a row' })
    const before = await w.ann()
    const report = { clients: UNCHANGED, users: UNCHANGED, revoked: [], other_passwords: ['users.0'] }
    expect(await w.sync(FILE, 2000)).toEqual(report)
    expect(await w.ann()).toEqual(before)
  })

  it('the variable of password_env is needed until the user has a password', async () => {
    const w = world()
    const users = [
      { username: 'Ann', password_env: 'ANN' },
      { username: 'bob', sub: 'bob-1', password_env: 'BOB' },
    ]
    const file = { app: FILE.app, users }
    const missing = (i: number, variable: string, username: string) =>
      `users.${i}.password_env: the variable ${variable} is not set, and user "${username}" has no password yet: set it for the first start`
    await expect(w.sync(file, 1000)).rejects.toThrow(
      `${missing(0, 'ANN', 'Ann')}\n${missing(1, 'BOB', 'bob')}`,
    )
    await expect(w.sync(file, 1000, { ANN: PASSWORD })).rejects.toThrow(missing(1, 'BOB', 'bob'))
    expect(await w.ann()).toBeNull()

    await w.sync(file, 1000, { ANN: PASSWORD, BOB: PASSWORD })
    const stored = [await w.ann(), await w.users.find('bob-1')]
    expect(await w.sync(file, 2000)).toMatchObject({ users: { created: 0, updated: 0, unchanged: 2 } })
    // Found by the sub, under another name.
    const renamed = { ...file, users: [users[0], { ...users[1], username: 'robert' }] }
    expect(await w.sync(renamed, 3000)).toMatchObject({ users: { updated: 1, unchanged: 1 } })
    expect([await w.ann(), await w.users.find('bob-1')]).toEqual([
      stored[0],
      { ...stored[1], username: 'robert', username_key: 'robert', updated_at: 3000 },
    ])

    await w.sync({ app: FILE.app, users: [{ username: 'eve' }] }, 4000)
    const eve = { app: FILE.app, users: [{ username: 'eve', password_env: 'EVE' }] }
    await expect(w.sync(eve, 5000)).rejects.toThrow(missing(0, 'EVE', 'eve'))
  })

  it('a user who has removed the password, and signs in with a passkey, does not get it again', async () => {
    const w = world()
    const file = { app: FILE.app, users: [{ username: 'ann', password_env: 'ANN' }] }
    await w.sync(file, 1000, { ANN: PASSWORD })
    const ann = await w.ann()
    if (!ann) throw new Error('no user')
    const add = [passkeyRecord('key', ann.sub, 'id.example.com')]
    await w.factors.change({ sub: ann.sub, add }, { credential_version: 0, now: 1500 })
    const { updated_at = 0 } = (await w.ann()) ?? {}
    const without = { ...ann, password_hash: null, updated_at: updated_at + 1, credential_version: 2 }
    await w.users.update(without, updated_at)
    const report = { users: UNCHANGED, other_passwords: [] }
    expect(await w.sync(file, 2000, { ANN: PASSWORD })).toMatchObject(report)
    expect(await w.sync(file, 2000)).toMatchObject(report)
    expect(await w.ann()).toEqual(without)
    // Without a passkey, the password is a way in.
    const remove = add.map(({ factor_id }) => factor_id)
    await w.factors.change({ sub: ann.sub, remove }, { credential_version: 2, now: 2500 })
    await expect(w.sync(file, 3000)).rejects.toThrow('has no password yet')
    expect(await w.sync(file, 3000, { ANN: PASSWORD })).toMatchObject({ users: { updated: 1 } })
    expect((await w.ann())?.password_hash).not.toBeNull()
  })

  it('a passkey of another RP ID is no way in: the password is', async () => {
    const w = world()
    const file = { app: FILE.app, users: [{ username: 'ann', password_env: 'ANN' }] }
    await w.sync(file, 1000, { ANN: PASSWORD })
    const ann = await w.ann()
    if (!ann) throw new Error('no user')
    const add = [passkeyRecord('key', ann.sub, 'id.example.org')]
    await w.factors.change({ sub: ann.sub, add }, { credential_version: 0, now: 1500 })
    const { updated_at = 0, credential_version = 0 } = (await w.ann()) ?? {}
    const without = { ...ann, password_hash: null, updated_at: updated_at + 1, credential_version }
    await w.users.update(without, updated_at)
    await expect(w.sync(file, 2000)).rejects.toThrow('has no password yet')
    expect(await w.sync(file, 2000, { ANN: PASSWORD })).toMatchObject({ users: UPDATED })
    expect((await w.ann())?.password_hash).not.toBeNull()
  })

  it('the demo user has the printed password after each start', async () => {
    const w = world()
    const demo = demoEntries('https://id.example.com', { username: 'demo', password: PASSWORD })
    const start = () =>
      syncRealms(
        { default: demo },
        () => w,
        () => 1000,
      )
    await start()
    const { sub = '' } = (await w.users.findByUsername('demo')) ?? {}
    await setPassword(w.users, { sub, password: 'four words in a row' })
    expect((await start()).default).toMatchObject({ users: UPDATED, other_passwords: [] })
    const stored = (await w.users.find(sub))?.password_hash ?? null
    expect(await argon2Passwords().verify(stored, PASSWORD)).toBe(true)
  })

  it('a client_id and a sub are never the same, whichever is stored first', async () => {
    const w = world()
    await w.sync({ app: FILE.app, users: [{ username: 'bob', sub: 'bob-1' }] }, 1000)
    await setDisabled(w.users, { sub: 'bob-1', disabled: true })
    const client = { ...FILE.clients[0], client_id: 'bob-1' }
    await expect(w.sync({ app: FILE.app, clients: [client] }, 2000)).rejects.toThrow(
      /^clients\.0\.client_id: it is the sub of a stored user; take another one$/,
    )
    await w.sync({ app: FILE.app, clients: FILE.clients }, 3000)
    await expect(w.sync({ app: FILE.app, users: [{ username: 'eve', sub: 'app' }] }, 4000)).rejects.toThrow(
      /^users\.0\.sub: it is the client_id of a stored client; take another one$/,
    )
    expect([await w.clients.find('bob-1'), await w.users.find('app')]).toEqual([null, null])
  })

  it('an entry that contradicts a stored record is a fault with its path', async () => {
    const w = world()
    await w.sync(FILE, 1000)
    const other = { ...FILE, users: [{ ...FILE.users[0], sub: 'another' }] }
    await expect(w.sync(other, 2000)).rejects.toThrow(/^users\.0: user "ann": already exists/)
  })
})
