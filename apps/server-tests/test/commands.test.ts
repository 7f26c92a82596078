/** Commands on a PostgreSQL: their output and their effect. One that stores, one that reads its input, and a start that fails are processes. */

import { freePort } from '@ostiary/test-kit/ports'
import { run } from '@ostiary/test-kit/server'
import { describe, expect, it, vi } from 'vitest'
import { database, idOf, makeAnn, START } from './commands.ts'

// Each starts processes, which are slow on a busy machine.
vi.setConfig({ maxConcurrency: 3, testTimeout: 300_000 })

describe('client', () => {
  it.concurrent('create, list, show, rotate-secret and revoke', async ({ onTestFinished }) => {
    const { ostiary, quick, json, storage } = await database(onTestFinished)
    const notes = await ostiary(
      'client create --id notes --name Notes --redirect-uri https://n.example.com/cb',
    )
    expect(notes).toMatchObject({ code: 0, stderr: '' })
    expect(notes.stdout).toMatch(/^client_id +notes\nclient_name +Notes\n/)
    const worker = await quick('client create --id worker --confidential --grant client_credentials')
    expect(worker).toMatchObject({
      code: 0,
      stderr:
        'Store the secret now: it cannot be shown again.\nConfigure the client for client_secret_post, the only method that it may use (--auth-method client_secret allows both).\n',
    })
    const both = await quick('client create --id both --auth-method client_secret --grant client_credentials')
    expect(both.stderr).toMatch(/\nThe client may use client_secret_basic or client_secret_post\.\n$/)
    const secret = /^client_secret +(\S{43})$/m.exec(worker.stdout)?.[1] ?? ''
    expect(secret).not.toBe('')

    const [page, rest, shown] = await Promise.all([
      json('client list --limit 1'),
      json('client list --after notes'),
      json('client show worker'),
    ])
    expect(page).toMatchObject({ clients: [{ client_id: 'both' }], next: 'both' })
    expect(rest).toMatchObject({ clients: [{ client_id: 'worker' }], next: null })
    expect(shown).toMatchObject({ client_id: 'worker', token_endpoint_auth_method: 'client_secret_post' })
    const stored = await storage.clients.find('worker')
    expect(JSON.stringify([page, rest, shown])).not.toContain(stored?.client_secret_hash)

    const { client_secret } = await json('client rotate-secret worker --yes')
    expect(client_secret).toMatch(/^\S{43}$/)
    expect(client_secret).not.toBe(secret)
    expect((await storage.clients.find('worker'))?.client_secret_hash).not.toBe(stored?.client_secret_hash)

    expect(await json('client revoke notes --yes')).toMatchObject({ client_id: 'notes', changed: true })
    expect(await quick('client revoke notes --yes')).toMatchObject({
      code: 0,
      stdout: 'notes was revoked already\n',
    })
    expect((await quick('client list')).stdout).toMatch(/^notes .* revoked \d{4}-/m)
  })

  it.concurrent('an invalid command is refused with a sentence and an exit code', async ({
    onTestFinished,
  }) => {
    const { quick, storage } = await database(onTestFinished)
    const [bad, unknown, realm, configured] = await Promise.all([
      quick('client create --redirect-uri javascript:alert(1) --optional-scope nope'),
      quick('client show nobody'),
      quick('client list --realm acme'),
      quick('client rotate-secret backend --yes'),
    ])
    expect(bad).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'ostiary: redirect_uris.0: "javascript:alert(1)" uses the scheme javascript, which is never allowed\n',
    })
    expect(await storage.clients.list({ limit: 10 })).toEqual([])
    expect(unknown).toMatchObject({ code: 3, stdout: '', stderr: 'ostiary: There is no client "nobody"\n' })
    expect(realm).toMatchObject({
      code: 3,
      stderr: 'ostiary: There is no realm acme; name one with --realm: default\n',
    })
    expect(configured).toMatchObject({ code: 1, stderr: expect.stringContaining('change its secret there') })
  })
})

/** Two entries whose secrets are in variables that a test does not set. */
const withVariables = (port: number) => ({
  ...START.config(port),
  clients: [
    {
      client_id: 'backend',
      client_secret_env: 'BACKEND_SECRET',
      redirect_uris: ['https://backend.example.com/callback'],
    },
  ],
  users: [{ username: 'kim', password_env: 'KIM_PASSWORD' }],
})

describe('an unset variable of client_secret_env or password_env', () => {
  it.concurrent('does not matter to a command that stores no entry', async ({ onTestFinished }) => {
    const { quick } = await database(onTestFinished)
    const config = withVariables
    const [clients, users, export_] = await Promise.all([
      quick('client list --json', { config: config(3000) }),
      quick('user create ann --sub ann-1 --json', { config: config(3000) }),
      quick('export', { config: config(3000) }),
    ])
    expect(clients).toMatchObject({ code: 0, stderr: '' })
    expect(users).toMatchObject({ code: 0, stderr: '' })
    expect(export_).toMatchObject({ code: 0 })
    // The entries are known nevertheless.
    const taken = 'ostiary: --sub: "backend" is the client_id of a client; take another one\n'
    expect(await quick('user create eve --sub backend', { config: config(3000) })).toMatchObject({
      code: 1,
      stderr: taken,
    })
  })

  it.concurrent('of a client is a fault for a server, for doctor and for config print', async ({
    onTestFinished,
  }) => {
    const { ostiary, quick } = await database(onTestFinished)
    const config = withVariables
    for (const line of ['serve', 'doctor --offline', 'config print']) {
      const { code, stdout, stderr } = await (line === 'serve'
        ? ostiary(line, { config })
        : quick(line, { config: config(3000) }))
      expect({ line, code }).toEqual({ line, code: 1 })
      expect(stdout + stderr).toContain(
        'clients.0.client_secret_env: the variable BACKEND_SECRET is not set: serve, doctor and config print need it',
      )
    }
  })

  it.concurrent('of a user without a password is a fault for a server', async ({ onTestFinished }) => {
    const { ostiary } = await database(onTestFinished)
    const env = { BACKEND_SECRET: 'a-secret-of-the-backend-for-this-test' }
    const { code, stderr } = await ostiary('serve', { config: withVariables, env })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(
        'users.0.password_env: the variable KIM_PASSWORD is not set, and user "kim" has no password yet: set it for the first start',
      ),
    })
  })
})

describe('user', () => {
  it.concurrent('create prints a generated password once, list shows the users, disable and enable', async ({
    onTestFinished,
  }) => {
    const { quick, json, users } = await database(onTestFinished)
    const made = await json(
      'user create ann --claim name=Ann --claim email=a@example.com --claim address.locality=Paris --group staff --group ops --attribute level=3',
    )
    expect(made).toMatchObject({
      username: 'ann',
      groups: ['staff', 'ops'],
      attributes: { level: 3 },
      claims: { email: 'a@example.com', address: { locality: 'Paris' } },
    })
    expect(made.password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)
    expect(await users.find(made.sub)).toMatchObject({ username: 'ann', disabled_at: null })
    const listed = await json('user list --limit 5')
    expect(listed).toMatchObject({
      users: [{ sub: made.sub, has_password: true, groups: ['staff', 'ops'], attributes: { level: 3 } }],
      next: null,
    })
    expect(JSON.stringify([made, listed])).not.toContain('argon2')

    expect(await quick('user create ANN')).toMatchObject({
      code: 1,
      stderr: 'ostiary: user "ANN": the username is taken\n',
    })
    expect(await quick('user disable Ann')).toMatchObject({
      code: 0,
      stdout: 'ann is disabled\nEnded: sessions 0, grants 0\n',
    })
    expect((await users.find(made.sub))?.disabled_at).toBeTypeOf('number')
    expect(await json(`user enable --sub ${made.sub}`)).toMatchObject({ state: 'enabled', changed: true })
    expect((await users.find(made.sub))?.disabled_at).toBeNull()
    expect(await quick('user disable bob')).toMatchObject({
      code: 3,
      stderr: 'ostiary: There is no user "bob"\n',
    })
  })

  it.concurrent('create --email-verified sets email_verified, and needs an address; without it, the command asks for it', async ({
    onTestFinished,
  }) => {
    const { quick, json } = await database(onTestFinished)
    const verified = 'user create ann --claim email=ann@example.com --email-verified'
    expect((await json(verified)).claims).toEqual({ email: 'ann@example.com', email_verified: true })
    const unverified = 'user create bob --claim email=bob@example.com'
    expect((await json(unverified)).claims).toEqual({ email: 'bob@example.com' })
    const question = 'The address is not verified, and some applications refuse such a user.'
    const claims = '--no-password --claim email=d@example.com'
    expect((await quick(`user create dan ${claims}`)).stderr).toContain(question)
    for (const line of [
      `eve ${claims} --email-verified`,
      `fay ${claims} --claim email_verified=false`,
      'gus',
    ])
      expect((await quick(`user create ${line}`)).stderr).not.toContain('verified')
    expect(await quick('user create cem --email-verified')).toMatchObject({
      code: 2,
      stderr: 'error: --email-verified: give --claim email=<address> too\n',
    })
  })

  it.concurrent('a sub and a client_id are never the same', async ({ onTestFinished }) => {
    const { quick, storage, users } = await database(onTestFinished)
    expect(await quick('user create bob --sub bob-1')).toMatchObject({ code: 0 })
    expect(await quick('user disable bob')).toMatchObject({ code: 0 })
    expect(await quick('client create --id bob-1 --confidential --grant client_credentials')).toMatchObject({
      code: 1,
      stderr: 'ostiary: client_id: it is the sub of a user; take another one\n',
    })
    expect(await quick('client create --id worker --confidential --grant client_credentials')).toMatchObject({
      code: 0,
    })
    // The second one is a client of the configuration that is not stored before the first start.
    for (const taken of ['worker', 'backend'])
      expect(await quick(`user create eve --sub ${taken}`)).toMatchObject({
        code: 1,
        stderr: `ostiary: --sub: "${taken}" is the client_id of a client; take another one\n`,
      })
    expect([await storage.clients.find('bob-1'), await users.find('worker')]).toEqual([null, null])
  })

  it.concurrent('passwords come from standard input or a variable, are checked, and are not printed', async ({
    onTestFinished,
  }) => {
    const { ostiary, quick, users } = await database(onTestFinished)
    const created = await ostiary('user create bob --sub b --password-stdin', {
      stdin: 'a long passphrase\n',
    })
    expect(created).toMatchObject({ code: 0, stderr: '', stdout: 'username  bob\nsub       b\n' })
    const before = (await users.find('b'))?.password_hash
    const set = await quick('user set-password bob --password-env BOB --json', {
      env: { BOB: 'another passphrase' },
    })
    expect(JSON.parse(set.stdout)).toEqual({
      username: 'bob',
      sub: 'b',
      ended_sessions: 0,
      ended_grants: 0,
    })
    const after = (await users.find('b'))?.password_hash
    expect(after).toMatch(/^\$argon2id\$/)
    expect(after).not.toBe(before)
    const short = await quick('user set-password bob --password-stdin', { stdin: 'short' })
    expect(short).toMatchObject({ code: 1, stderr: 'ostiary: the password has fewer than 8 characters\n' })
  })
})

describe('consent and session', () => {
  it.concurrent('consent list and revoke', async ({ onTestFinished }) => {
    const { quick, json, storage, users } = await database(onTestFinished)
    await makeAnn(users)
    const approved = ['https://id.example.com', 'https://id.example.com/api'].map((resource) => ({
      resource,
      scopes: ['openid'],
    }))
    await storage.consents.merge({ sub: 'ann-1', client_id: 'notes', approved }, 1_800_000_000)
    const listed = await quick('consent list ann')
    expect(listed.stdout).toMatch(/^notes +https:\/\/id\.example\.com +openid +2027-01-15T08:00:00Z +given$/m)
    expect(await json(`consent revoke ann notes --resource ${approved[1]?.resource}`)).toMatchObject({
      revoked: 1,
    })
    expect(await quick('consent revoke --sub ann-1 notes')).toMatchObject({
      code: 0,
      stdout: 'Withdrawn: 1\n',
    })
    expect(await quick('consent revoke ann notes')).toMatchObject({ code: 3, stdout: '' })
    const rows = (await json('consent list ann')).consents as { revoked_at: number | null }[]
    expect(rows.map(({ revoked_at }) => revoked_at !== null)).toEqual([true, true])
  })

  it.concurrent('session list and end, one or all', async ({ onTestFinished }) => {
    const { quick, json, storage, users } = await database(onTestFinished)
    await makeAnn(users)
    for (const name of ['s-1', 's-2', 's-3'])
      await storage.sessions.create({
        sid: idOf(name),
        session_hash: idOf(`hash-of-${name}`),
        sub: 'ann-1',
        auth_time: 1_800_000_000,
        amr: ['pwd'],
        acr: '1',
        created_at: 1_800_000_000,
        expires_at: 4_000_000_000,
        user_agent: 'Firefox/142.0',
        raised_at: null,
        last_used_at: name === 's-1' ? 1_800_000_900 : null,
        client_ids: ['notes'],
      })
    const listed = await json('session list ann')
    expect(listed.sessions).toHaveLength(3)
    expect(listed.sessions).toContainEqual(
      expect.objectContaining({ sid: idOf('s-1'), user_agent: 'Firefox/142.0', last_used_at: 1_800_000_900 }),
    )
    expect(JSON.stringify(listed)).not.toContain('hash-of-')
    expect(await quick(`session end --sid ${idOf('s-1')}`)).toMatchObject({
      code: 0,
      stdout: 'Ended: sessions 1, grants 0\n',
    })
    expect(await quick(`session end --sid ${idOf('s-1')}`)).toMatchObject({ code: 3 })
    expect(new Set((await json('session end --user ann')).ended)).toEqual(new Set([idOf('s-2'), idOf('s-3')]))
    expect((await quick('session list ann')).stdout).toBe(
      'SID  SINCE  LAST USED  UNTIL  BY  CLIENTS  USER AGENT\n',
    )
  })
})

describe('keys', () => {
  it.concurrent('list, and rotate: a new key is published beside the old one', async ({ onTestFinished }) => {
    const { quick, json } = await database(onTestFinished)
    const first = await quick('keys list')
    expect(first.stdout).toMatch(/^KID .*\n\S{43} +RS256 +\S+Z +\S+Z\n$/)
    const rotated = await quick('keys rotate')
    expect(rotated).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\S{43} is published and signs from/),
    })
    const leaked = await json('keys rotate --publish-before 0')
    expect(leaked.signs_from).toBe(leaked.created_at)
    const { keys } = await json('keys list --realm default')
    expect(keys).toHaveLength(3)
    expect(keys.map(({ kid }: { kid: string }) => kid)).toContain(rotated.stdout.split(' ')[0])
  })
})

describe('purge', () => {
  it.concurrent('forgets what has expired, and nothing else', async ({ onTestFinished }) => {
    const { quick, json, storage } = await database(onTestFinished)
    await storage.revoked_tokens.add('old', 1_700_000_000)
    await storage.revoked_tokens.add('new', 4_000_000_000)
    expect(await json('purge')).toEqual({ realm: 'default', purged: 1 })
    expect([await storage.revoked_tokens.has('old'), await storage.revoked_tokens.has('new')]).toEqual([
      false,
      true,
    ])
    expect(await quick('purge')).toMatchObject({ code: 0, stderr: '', stdout: 'Deleted: 0\n' })
  })
})

describe('config print', () => {
  it.concurrent('shows each setting and its source, without secrets', async ({ onTestFinished }) => {
    const { ostiary, env } = await database(onTestFinished)
    const { code, stdout } = await ostiary('config print')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^app\.url +file +"http:\/\/localhost:\d+"$/m)
    expect(stdout).toMatch(/^secret +OIDC_SECRET +"\(hidden\)"$/m)
    expect(stdout).not.toContain(env.OIDC_SECRET)
    expect(stdout).not.toContain('correct horse')
  })
})

it.concurrent('an unavailable database: exit code 1 and a sentence, or JSON', async () => {
  const start = {
    ...START,
    env: { ...START.env, DATABASE_URL: `postgres://ann:hidden@127.0.0.1:${await freePort()}/x` },
  }
  const [text, json] = await Promise.all([
    run({ ...start, args: ['client', 'list'] }),
    run({ ...start, args: ['client', 'list', '--json'] }),
  ])
  expect(text).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^ostiary: The database .*ECONNREFUSED/),
  })
  expect(JSON.parse(json.stderr)).toEqual({ error: { message: expect.stringContaining('ECONNREFUSED') } })
  expect(text.stderr + json.stderr).not.toContain('hidden')
})
