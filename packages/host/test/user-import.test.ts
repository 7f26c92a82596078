/** `ostiary user import`: the users of another system come with their passwords, all of a good file or none. */

import { readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argon2Passwords, setDisabled, setPassword, type User } from '@ostiary/identity'
import { isOwnHash } from '@ostiary/password-hashes'
import { postgresUsers } from '@ostiary/storage-postgres'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { factorRecord } from '@ostiary/test-kit/factors/record'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { beforeAll, describe, expect, it } from 'vitest'
import { TOTP_SECRET_USE } from '../../identity/src/factors/totp/totp-factor.ts'
import { createSealer } from '../../identity/src/web/sealed.ts'
import { run } from '../src/index.ts'
import { CONFIG, HASHES, PASSWORD, type Place, place, SECRET } from './user-import-place.ts'

const ANN = {
  username: 'Ann',
  sub: 'auth0|1',
  password_hash: HASHES.bcrypt,
  email: 'ann@example.com',
  email_verified: true,
  address: { locality: 'Köln' },
  groups: ['staff', 'staff', 'on call'],
  attributes: { level: 3 },
}
const BOB = { username: 'bob', password_hash: HASHES.ssha }
/** RFC 6238, appendix B. */
const APP = { secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' }

const stored = async ({ users }: Place, name: string): Promise<User> => {
  const user = await users.findByUsername(name)
  if (user === null) throw new Error(`There is no user ${name}`)
  return user
}

/** Changes the record as a sign-in or an operator does. */
async function change(to: Place, name: string, changes: Partial<User>): Promise<void> {
  const user = await stored(to, name)
  const changed = { ...user, ...changes, updated_at: user.updated_at + 1 }
  expect(await to.users.update(changed, user.updated_at)).toBe(true)
}

/** The first lines of the output. */
const counts = (numbers: Partial<Record<'created' | 'updated' | 'identical' | 'refused', number>>) => {
  const { created = 0, updated = 0, identical = 0, refused = 0 } = numbers
  const rows = Object.entries({ created, updated, identical, refused })
  const pattern = rows.map(([name, count]) => `${name} +${count}\n`).join('')
  return { out: expect.stringMatching(new RegExp(`^${pattern}`)) }
}

describe('new users', () => {
  it('are stored as the lines say, in any order, and the event counts them', async () => {
    const to = await place()
    const disabled = { username: 'eve', disabled: true }
    const done = await to.import([BOB, ANN, disabled])
    expect(done).toEqual({ ...counts({ created: 3 }), code: 0, err: '', events: [expect.anything()] })
    expect(done.events[0]).toMatchObject({
      command: 'user import',
      realm: 'default',
      count: { created: 3, updated: 0 },
    })
    const ann = await stored(to, 'ann')
    expect(ann).toEqual({
      sub: 'auth0|1',
      username: 'Ann',
      username_key: 'ann',
      password_hash: HASHES.bcrypt,
      claims: { email: 'ann@example.com', email_verified: true, address: { locality: 'Köln' } },
      attributes: { level: 3 },
      groups: ['staff', 'on call'],
      created_at: expect.any(Number),
      updated_at: ann.created_at,
      disabled_at: null,
      credential_version: 0,
      second_step: false,
    })
    expect((await stored(to, 'bob')).sub).toMatch(/^[\w-]{22}$/)
    expect(await stored(to, 'eve')).toMatchObject({ password_hash: null, disabled_at: expect.any(Number) })
  })

  it('sign in at the server with each kind of hash, which then is an own one', async () => {
    const to = await place()
    const users = Object.entries(HASHES).map(([username, password_hash]) => ({ username, password_hash }))
    expect(await to.import([...users, { ...ANN, disabled: true }])).toMatchObject({ code: 0 })
    const signIn = await to.server()
    for (const { username } of users) {
      expect((await signIn(username, 'wrong horse')).status).toBe(422)
      expect(await signIn(username, PASSWORD)).toMatchObject({ status: 303 })
      expect(isOwnHash((await stored(to, username)).password_hash ?? '')).toBe(true)
      expect(await signIn(username, PASSWORD)).toMatchObject({ status: 303 })
    }
    expect((await signIn('Ann', PASSWORD)).status).toBe(422)
    expect(await to.import([...users, { ...ANN, disabled: true }])).toEqual({
      ...counts({ identical: 6 }),
      code: 0,
      err: '',
      events: [],
    })
  })

  it('come into the realm that is named, from standard input', async () => {
    const to = await place()
    const before = await readdir(tmpdir())
    const done = await to.ostiary(
      'user import - --realm acme',
      `${JSON.stringify(ANN)}\n${JSON.stringify(BOB)}`,
    )
    expect(done).toMatchObject({ code: 0, events: [{ realm: 'acme', count: { created: 2, updated: 0 } }] })
    expect(await to.users.findByUsername('ann')).toBeNull()
    expect(await to.other.findByUsername('ann')).toMatchObject({ sub: 'auth0|1' })
    // The copy of standard input is deleted.
    const left = (await readdir(tmpdir())).filter((name) => name.startsWith('ostiary-users-'))
    expect(left.filter((name) => !before.includes(name))).toEqual([])
  })

  it('come into the embedded database', async () => {
    const cwd = await temporaryFolder()
    await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(CONFIG))
    await writeFile(
      join(cwd, 'users.jsonl'),
      `${JSON.stringify({ ...ANN, totp: [APP] })}\n${JSON.stringify(BOB)}\n`,
    )
    const env = { OIDC_SECRET: SECRET, DATA_DIR: join(cwd, 'data') }
    const out: string[] = []
    const ostiary = (line: string) =>
      run(
        line.split(' '),
        { serve: async () => 0 },
        { env, cwd, stdin: async () => '', out: (text) => void out.push(text), err: () => {} },
      )
    expect(await ostiary('user import users.jsonl')).toBe(0)
    expect(await ostiary('user import users.jsonl')).toBe(0)
    expect({ out: out[1] }).toEqual(counts({ identical: 2 }))
    expect(await ostiary('user show ann --json')).toBe(0)
    expect(JSON.parse(out[2] ?? '')).toMatchObject({ sub: 'auth0|1', has_password: true, second_step: true })
  })
})

describe('authenticator apps', () => {
  it('are stored encrypted, and the sign-in asks for a code', async () => {
    const to = await place()
    const line = { ...ANN, totp: [APP, { ...APP, label: 'Tablet' }] }
    expect(await to.import([line])).toMatchObject({ code: 0 })
    const [first, second] = await to.factors.list('auth0|1')
    expect([first?.label, second?.label].sort()).toEqual(['Authenticator app', 'Tablet'])
    const sealer = createSealer({ secret: SECRET }, TOTP_SECRET_USE)
    const opened = sealer.open(String(first?.data.secret), ['default', 'auth0|1', first?.factor_id ?? ''])
    expect(opened?.value).toBe(Buffer.from('12345678901234567890').toString('base64url'))
    expect(await stored(to, 'ann')).toMatchObject({ second_step: true, credential_version: 1 })
    const signIn = await to.server()
    // To the page of the second step, and not to the account.
    expect((await signIn('ann', PASSWORD)).to).toContain('/login')
    expect(await to.import([line])).toMatchObject({ ...counts({ identical: 1 }), code: 0 })
  })

  it('of an import that was stopped before them: until they are added, the password alone signs no one in', async () => {
    const to = await place()
    await to.import([ANN])
    await change(to, 'ann', { second_step: true })
    const signIn = await to.server()
    expect((await signIn('ann', PASSWORD)).to).toContain('/login')
    const line = { ...ANN, totp: [APP] }
    expect((await to.import([line])).out).toContain('line 1: Ann: the stored user differs in totp: --update')
    expect(await to.factors.list('auth0|1')).toEqual([])
    expect(await to.import([line], '--update')).toMatchObject(counts({ updated: 1 }))
    expect(await to.factors.list('auth0|1')).toHaveLength(1)
  })

  it('are added with --update to a user who has changed nothing here', async () => {
    const to = await place()
    await to.import([ANN])
    expect(await to.import([{ ...ANN, totp: [APP] }], '--update')).toMatchObject(counts({ updated: 1 }))
    expect(await stored(to, 'ann')).toMatchObject({ second_step: true, credential_version: 1 })
  })

  it('are not added to other factors, also where an older release has stored these', async () => {
    const to = await place()
    await to.import([ANN])
    const add = [factorRecord('key', 'auth0|1', { kind: 'passkey' })]
    expect(await to.factors.change({ sub: 'auth0|1', add }, { credential_version: 0, now: 1 })).toBe(true)
    // It did not count the changes of an account.
    await change(to, 'ann', { credential_version: 0 })
    expect(await to.import([{ ...ANN, totp: [APP] }], '--update')).toMatchObject(counts({ identical: 1 }))
  })

  it('that the user has removed do not come back', async () => {
    const to = await place()
    const line = { ...ANN, totp: [APP] }
    await to.import([line])
    const [app] = await to.factors.list('auth0|1')
    const removal = { sub: 'auth0|1', remove: [app?.factor_id ?? ''], second_step: false }
    expect(await to.factors.change(removal, { credential_version: 1, now: 2_000_000_000 })).toBe(true)
    expect(await to.import([line], '--update')).toMatchObject(counts({ identical: 1 }))
    expect(await to.factors.list('auth0|1')).toEqual([])
  })
})

describe('a second import', () => {
  it('refuses users who differ, lists them, and stores nothing', async () => {
    const to = await place()
    await to.import([ANN, BOB])
    const changed = { ...ANN, email: 'ann@example.org', groups: ['staff'], username: 'ANN', disabled: true }
    const done = await to.import([{ username: 'cem' }, changed, { ...BOB, password_hash: HASHES.scrypt }])
    expect(done).toEqual({ ...counts({ created: 1, refused: 2 }), code: 1, err: '', events: [] })
    expect(done.out).toContain(
      'line 2: ANN: the stored user differs in email, username, groups, disabled: --update takes what the file has\n' +
        'line 3: bob: the stored user differs in password_hash: --update takes what the file has\n' +
        'Nothing is stored\n',
    )
    expect(await to.users.findByUsername('cem')).toBeNull()
    expect(await stored(to, 'ann')).toMatchObject({ username: 'Ann', claims: { email: 'ann@example.com' } })
  })

  it('with --update, takes what the lines have, and leaves what they do not have', async () => {
    const to = await place()
    await to.import([ANN, BOB])
    const line = {
      username: 'Anne',
      sub: 'auth0|1',
      email: 'ann@example.org',
      name: 'Ann Example',
      password_hash: HASHES.scrypt,
      disabled: true,
    }
    expect(await to.import([BOB, line], '--update')).toEqual({
      ...counts({ updated: 1, identical: 1 }),
      code: 0,
      err: '',
      events: [expect.objectContaining({ count: { created: 0, updated: 1 } })],
    })
    const ann = await stored(to, 'anne')
    expect(ann).toMatchObject({
      sub: 'auth0|1',
      username: 'Anne',
      password_hash: HASHES.scrypt,
      claims: { email: 'ann@example.org', name: 'Ann Example', email_verified: true },
      groups: ['staff', 'on call'],
      attributes: { level: 3 },
      disabled_at: expect.any(Number),
      // A sign-in that began before ends.
      credential_version: 1,
    })
    expect(ann.updated_at).toBeGreaterThan(ann.created_at)
    expect(await to.users.findByUsername('ann')).toBeNull()
    expect(await to.import([BOB, line])).toMatchObject(counts({ identical: 2 }))
  })

  it('never sets back a password that was set here, one that was removed here, and who was disabled here', async () => {
    const to = await place()
    const lines = ['hashed', 'set', 'removed', 'off'].map((sub) => ({ ...BOB, username: sub, sub }))
    await to.import(lines)
    const signIn = await to.server()
    expect((await signIn('hashed', PASSWORD)).status).toBe(303)
    await setPassword(to.users, { sub: 'set', password: 'a new password' })
    await change(to, 'removed', { password_hash: null, credential_version: 1 })
    await setDisabled(to.users, { sub: 'off', disabled: true })
    const before = await to.users.list({ limit: 10 })
    for (const options of ['', '--update']) {
      const enabled = lines.map((line) => ({ ...line, disabled: false }))
      expect(await to.import(enabled, options)).toEqual({
        ...counts({ identical: 4 }),
        code: 0,
        err: '',
        events: [],
      })
    }
    expect(await to.users.list({ limit: 10 })).toEqual(before)
    const { password_hash } = await stored(to, 'set')
    expect(await argon2Passwords().verify(password_hash, 'a new password')).toBe(true)
  })

  it('gives a password to a user who was imported without one, and has changed nothing', async () => {
    const to = await place()
    await to.import([{ username: 'bob' }])
    expect(await to.import([BOB], '--update')).toMatchObject(counts({ updated: 1 }))
    expect(await stored(to, 'bob')).toMatchObject({ password_hash: HASHES.ssha })
  })
})

describe('a user who cannot be imported', () => {
  const refusal = async (to: Place, line: object) => {
    const done = await to.import([{ username: 'other' }, line], '--update')
    expect(done).toMatchObject({ code: 1, events: [] })
    expect(await to.users.findByUsername('other')).toBeNull()
    return done.out.split('\n').at(-3)
  }

  it('has the username of a user with another sub', async () => {
    const to = await place()
    await to.import([ANN])
    expect(await refusal(to, { username: 'ANN', sub: 'auth0|2' })).toBe(
      'line 2: ANN: the user exists with the sub "auth0|1", and a sub is never reassigned: leave sub out, or take another username',
    )
  })

  it('has the id of a client as its sub', async () => {
    const to = await place({
      ...CONFIG,
      clients: [{ client_id: 'named', redirect_uris: ['https://a.example/cb'] }],
    })
    await to.storage.clients.create(clientRecord({ client_id: 'stored' }))
    for (const sub of ['named', 'stored'])
      expect(await refusal(to, { username: 'ann', sub })).toBe(
        `line 2: ann: sub: "${sub}" is the client_id of a client; take another one`,
      )
  })

  it('is named by the configuration', async () => {
    const users = [{ username: 'Ann' }, { username: 'bob', sub: 'bob-1' }]
    const to = await place({ ...CONFIG, users })
    for (const [line, path] of [
      [{ username: 'ann', sub: 'x' }, 'users.0'],
      [{ username: 'robert', sub: 'bob-1' }, 'users.1'],
    ] as const)
      expect(await refusal(to, line)).toBe(
        `line 2: ${line.username}: the configuration has this user, ${path}: change it there`,
      )
  })

  it('has the sub of a deleted user: the others are stored', async () => {
    const to = await place()
    await to.import([ANN])
    await to.users.delete('auth0|1')
    const done = await to.import([ANN, BOB])
    expect(done).toMatchObject({ code: 1, events: [{ count: { created: 1, updated: 0 } }] })
    expect(done.out).toContain(
      'line 1: Ann: the sub is that of a deleted user, which is never reassigned, or',
    )
    expect(done.out).toContain('The other users are stored')
    expect(await to.users.findByUsername('ann')).toBeNull()
    expect(await stored(to, 'bob')).toMatchObject({ password_hash: HASHES.ssha })
  })

  it('is one of many: 50 are listed', async () => {
    const to = await place()
    const lines = Array.from({ length: 51 }, (_, n) => ({ username: `user${n}`, sub: `${n}` }))
    await to.import(lines)
    const done = await to.import(lines.map((line) => ({ ...line, name: 'Other' })))
    expect(done.out.match(/^line \d+: /gm)).toHaveLength(50)
    expect(done.out).toContain('line 50: user49: ')
    expect(done.out).toContain('\n1 more users are refused\nNothing is stored\n')
  })
})

describe('users who are created at the same time', () => {
  /** Another process creates Ann, and its transaction ends after the import has compared her. */
  async function duringCreation(options: string) {
    const to = await place()
    let commit = () => {}
    const committed = new Promise<void>((resolve) => {
      commit = resolve
    })
    let isOpen = () => {}
    const opened = new Promise<void>((resolve) => {
      isOpen = resolve
    })
    const other: User = {
      sub: 'auth0|1',
      username: 'Ann',
      username_key: 'ann',
      password_hash: null,
      claims: {},
      attributes: null,
      groups: null,
      created_at: 1,
      updated_at: 1,
      disabled_at: null,
      credential_version: 3,
      second_step: false,
    }
    const creating = to.executor.transaction(async (tx) => {
      const users = postgresUsers({ ...tx, transaction: (inner) => inner(tx), close: async () => {} })
      expect(await users('default').create(other)).toBe(true)
      isOpen()
      await committed
    })
    await opened
    const importing = to.import([BOB, ANN], options)
    const waits = `select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
    for (let waiting = 0; waiting === 0; )
      waiting = (await to.executor.query<{ waiting: number }>(waits))[0]?.waiting ?? 0
    commit()
    await creating
    return { to, done: await importing }
  }

  it('are refused where they differ, and stay', async () => {
    const { to, done } = await duringCreation('')
    expect(done).toEqual({
      ...counts({ created: 1, refused: 1 }),
      code: 1,
      err: '',
      events: [expect.anything()],
    })
    expect(done.out).toContain('line 2: Ann: the stored user differs in email, email_verified, address')
    expect(await stored(to, 'ann')).toMatchObject({ claims: {}, credential_version: 3 })
    expect(await stored(to, 'bob')).toMatchObject({ password_hash: HASHES.ssha })
  })

  it('get what the line has, with --update', async () => {
    const { to, done } = await duringCreation('--update')
    expect(done).toMatchObject({ ...counts({ created: 1, updated: 1 }), code: 0 })
    // The other process has created a user without a password, and something has changed since.
    expect(await stored(to, 'ann')).toMatchObject({
      claims: { email: 'ann@example.com' },
      password_hash: null,
    })
  })
})

it('--dry-run says what would be done, and stores nothing', async () => {
  const to = await place()
  await to.import([ANN])
  const done = await to.import([{ ...ANN, name: 'Ann' }, BOB], '--dry-run --update')
  expect(done).toEqual({ ...counts({ created: 1, updated: 1 }), code: 0, err: '', events: [] })
  expect(done.out).toContain('Nothing is stored: this is what would be done')
  expect(await to.users.findByUsername('bob')).toBeNull()
  expect((await stored(to, 'ann')).claims).not.toHaveProperty('name')
  const json = JSON.parse((await to.import([BOB], '--dry-run --json')).out)
  expect(json).toEqual({
    realm: 'default',
    created: 1,
    updated: 0,
    identical: 0,
    refused: 0,
    first_refused: [],
    done: false,
    dry_run: true,
  })
})

describe('a file with a bad line', () => {
  let to: Place
  beforeAll(async () => {
    const cleanUps: (() => unknown)[] = []
    to = await place(CONFIG, (clean) => cleanUps.push(clean))
    return async () => {
      for (const clean of cleanUps.reverse()) await clean()
    }
  })

  const a = (count: number) => 'a'.repeat(count)
  const CASES: [string, object | string, string][] = [
    ['no JSON', '{"username": ', 'it is not an object of JSON: give one a line'],
    ['an empty line', '', 'it is not an object of JSON'],
    ['a list', '[]', 'it is not an object of JSON: give one a line, such as {"username": "ann"}'],
    ['a prototype', '{"username":"x","__proto__":{"a":1}}', 'it is not an object of JSON'],
    ['a line of more than 1 MiB', `{"username":"${a(1_048_576)}"}`, 'it is longer than 1048576 bytes'],
    ['no username', {}, 'username: '],
    ['an empty username', { username: ' ' }, 'username: give 1 to 255 characters'],
    ['a username of the wrong type', { username: 1 }, 'username: give a text'],
    [
      'an unknown key',
      { username: 'x', pasword_hash: 'y' },
      'pasword_hash: there is no such key; did you mean password_hash?',
    ],
    ['a password in clear', { username: 'x', password: 'correct horse' }, 'password: there is no such key'],
    ['a sub with a space', { username: 'x', sub: 'a b' }, 'sub: give 1 to 255 printable ASCII characters'],
    [
      'a claim of the wrong type',
      { username: 'x', email_verified: 'yes' },
      'email_verified: give true or false',
    ],
    ['a claim with NUL', { username: 'x', name: 'a\0' }, 'name: must not contain NUL'],
    [
      'a part of a claim with NUL',
      { username: 'x', address: { locality: '\ud800' } },
      'address.locality: must not contain NUL or an unpaired surrogate',
    ],
    [
      'claims of more than 16,384 characters',
      { username: 'x', name: a(16_384 - '{"name":""}'.length + 1) },
      'the claims must have at most 16384',
    ],
    ['groups that are no list', { username: 'x', groups: 'staff' }, 'groups: give a list'],
    [
      'an attribute of a bad name',
      { username: 'x', attributes: { 'a b': 1 } },
      'attributes: attribute "a b"',
    ],
    [
      'a hash of no kind',
      { username: 'x', password_hash: '5f4dcc3b5aa765d61d8327deb882cf99' },
      'password_hash: it is of no kind that is verified here',
    ],
    [
      'a hash that costs too much',
      { username: 'x', password_hash: `$argon2id$v=19$m=4194304,t=1,p=1$${a(22)}$${a(43)}` },
      'password_hash: argon2: m, the memory in KiB, is 4194304, and at most 194560',
    ],
    ['null', { username: 'x', password_hash: null }, 'password_hash: give a text'],
    [
      'a secret that is no base32',
      { username: 'x', totp: [{ secret: `${a(15)}=` }] },
      'totp.0.secret: give base32 in capital letters',
    ],
    [
      'a secret of 15 characters',
      { username: 'x', totp: [{ secret: 'A'.repeat(15) }] },
      'totp.0.secret: give at least 16 characters',
    ],
    [
      'a secret of 129 characters',
      { username: 'x', totp: [{ secret: 'A'.repeat(129) }] },
      'totp.0.secret: give at most 128 characters',
    ],
    ['six apps', { username: 'x', totp: Array(6).fill(APP) }, 'totp: give at most 5 entries'],
    [
      'a label of 61 characters',
      { username: 'x', totp: [{ ...APP, label: a(61) }] },
      'totp.0.label: give at most 60 characters',
    ],
    ['a passkey', { username: 'x', passkeys: [] }, 'passkeys: there is no such key'],
  ]

  it.each(CASES)('%s: nothing is stored, and the line and the key are named', async (_, line, message) => {
    const done = await to.import([BOB, line, ANN])
    expect(done).toMatchObject({ code: 1, out: '', events: [] })
    expect(done.err).toContain(`ostiary: users.jsonl, line 2: ${message}`)
    expect(await to.users.list({ limit: 1 })).toEqual([])
  })

  it('takes each limit', async () => {
    const filled = await place()
    const lines = [
      { username: 'claims', name: a(16_384 - '{"name":""}'.length) },
      { username: 'short', totp: [{ secret: 'A'.repeat(16), label: a(60) }] },
      { username: 'long', totp: Array(5).fill({ secret: 'A'.repeat(128) }) },
    ]
    expect(await filled.import(lines)).toMatchObject({ ...counts({ created: 3 }), code: 0 })
  })

  it('two lines with one user: usernames compare as everywhere', async () => {
    const done = await to.import([
      { username: 'Ann', sub: '1' },
      { username: 'bob', sub: '2' },
      { username: ' ａｎｎ ', sub: '3' },
      { username: 'cem', sub: '2' },
    ])
    expect(done.err).toBe(
      'ostiary: users.jsonl, line 3: username: it is that of line 1\n' +
        'ostiary: users.jsonl, line 4: sub: it is that of line 2\n',
    )
    expect(await to.users.list({ limit: 1 })).toEqual([])
  })

  it('lists 50 lines and counts the others', async () => {
    const done = await to.import(Array.from({ length: 60 }, () => ({})))
    expect(done.err.match(/, line \d+: /g)).toHaveLength(50)
    expect(done.err).toMatch(/ostiary: 10 more lines have faults\n$/)
  })

  it('has no password for a realm without passwords, and no app for one that asks for no code', async () => {
    const without = await place({ ...CONFIG, identity: { password: { enabled: false } } })
    expect((await without.import([BOB])).err).toContain(
      'line 1: password_hash: users of this realm have no passwords',
    )
    expect(await without.import([{ username: 'bob' }])).toMatchObject({ code: 0 })
    const off = await place({ ...CONFIG, identity: {} })
    expect((await off.import([{ ...BOB, totp: [APP] }])).err).toContain(
      'line 1: totp: the second factor of this realm is off',
    )
  })

  it.each([
    ['user import nowhere.jsonl', 1, /nowhere\.jsonl cannot be read \(ENOENT\)/],
    ['user import .', 1, /It is a folder: name a file \(EISDIR\)/],
    ['user import -', 1, /standard input, line 1: the file is empty/],
    ['user import - --realm other', 3, /There is no realm other/],
  ])('%s fails with a sentence', async (line, code, message) => {
    const done = await to.ostiary(line)
    expect(done).toMatchObject({ code, out: '', events: [] })
    expect(done.err).toMatch(message)
  })
})

it('an export has the hashes of other systems, and another server takes them', async () => {
  const from = await place()
  await from.import([ANN])
  const file = join(from.cwd, 'realm.jsonl')
  expect(await from.ostiary(`export --with-secrets --output ${file}`)).toMatchObject({ code: 0 })
  const to = await place()
  expect(await to.ostiary(`import ${file}`)).toMatchObject({ code: 0 })
  expect(await stored(to, 'ann')).toEqual(await stored(from, 'ann'))
})
