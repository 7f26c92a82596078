/** `database restored`: what a restore would bring back is ended again, with the events of the time since the backup, or without. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bucketByHash, type RealmStorage } from '@ostiary/core'
import { createUser, type UserStore } from '@ostiary/identity'
import { postgresExecutor, postgresStores } from '@ostiary/storage-postgres'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { type CleanUp, copyOfDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { factorRecord, passkeyRecord } from '@ostiary/test-kit/factors/record'
import { queuedMail } from '@ostiary/test-kit/mail/queued-mail'
import { describe, expect, it } from 'vitest'
import { database, giveGrant, makeAnn, makeKey, NOW, startSession } from './commands.ts'

const RESOURCE = 'https://id.example.com/api'
const PEOPLE = ['bob', 'cem', 'dan']
const CLIENTS = ['kept', 'leaked', 'ended', 'gone']

/** Ann has a session, a grant and a consent; three others have passwords; four clients have secrets; a mail waits to be sent. */
async function place(addCleanup: CleanUp) {
  const made = await database(addCleanup)
  const { storage, users, executor } = made
  await postgresStores(executor).mails.add(queuedMail('a mail'))
  await makeKey(storage)
  await makeAnn(users)
  for (const username of PEOPLE)
    await createUser(users, { username, sub: `${username}-1`, password: `the passphrase of ${username}` })
  for (const client_id of CLIENTS)
    await storage.clients.create(
      clientRecord({
        client_id,
        client_secret_hash: `hash of ${client_id}`,
        token_endpoint_auth_method: 'client_secret_post',
      }),
    )
  await startSession(storage, 's-1')
  await giveGrant(storage, 'g-1')
  await storage.consents.merge(
    { sub: 'ann-1', client_id: 'notes', approved: [{ resource: RESOURCE, scopes: ['openid'] }] },
    NOW,
  )
  return made
}

/** What a restore would bring back. */
async function state(storage: RealmStorage, users: UserStore) {
  const consents = await storage.consents.list('ann-1')
  return {
    session: (await storage.sessions.list('ann-1')).length,
    grants: (await storage.grants.list('ann-1', NOW)).length,
    consents: consents.filter(({ revoked_at }) => revoked_at === null).length,
    ann_is_disabled: (await users.find('ann-1'))?.disabled_at !== null,
    with_password: (await Promise.all(PEOPLE.map((name) => users.find(`${name}-1`)))).flatMap((user) =>
      user?.password_hash ? [user.username] : [],
    ),
    with_old_secret: (await Promise.all(CLIENTS.map((client_id) => storage.clients.find(client_id)))).flatMap(
      (client) =>
        client !== null &&
        client.revoked_at === null &&
        client.client_secret_hash === `hash of ${client.client_id}`
          ? [client.client_id]
          : [],
    ),
    keys: (await storage.keys.list()).map(({ kid }) => kid),
  }
}

async function logFile(lines: readonly object[], addCleanup: CleanUp): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-log-'))
  addCleanup(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'log.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
  return join(folder, 'log.jsonl')
}

const passwordOf = (sub: string, time: string) => ({
  time,
  event: 'account.password_changed',
  realm: 'default',
  sub,
})

const APP = (sub: string) => factorRecord('one', sub)
const OWN_PASSKEY = (sub: string) => passkeyRecord('one', sub, 'localhost')
const OTHER_PASSKEY = (sub: string) => passkeyRecord('one', sub, 'id.example.com')

describe('after a restore', () => {
  it('with the events of the commands since, all that they did is done again', async ({ onTestFinished }) => {
    const { quick, env } = await place(onTestFinished)
    const copy = await copyOfDatabase(env.DATABASE_URL, onTestFinished)
    const to = new Date().toISOString()
    const changes = [
      'user disable ann',
      'user set-password bob',
      'user delete dan --yes',
      'client rotate-secret leaked --yes',
      'client revoke ended --yes',
      'client delete gone --yes',
    ]
    const done = []
    for (const line of changes) done.push(await quick(line))
    expect(done.map(({ code }) => code)).toEqual(changes.map(() => 0))
    const log = await logFile(
      [{ time: '2026-01-01T00:00:00Z', msg: 'listening' }, ...done.flatMap(({ events }) => events)],
      onTestFinished,
    )

    const executor = postgresExecutor(copy, { ...UNLIMITED, connections: 1 })
    onTestFinished(() => executor.close())
    const { storage, users, mails } = postgresStores(executor)
    expect(await mails.page({ limit: 9 })).toEqual([queuedMail('a mail')])
    const before = await state(storage('default'), users('default'))
    expect(before).toMatchObject({ session: 1, grants: 1, consents: 1, ann_is_disabled: false })
    expect([before.with_password, before.with_old_secret]).toEqual([PEOPLE, CLIENTS])

    const restored = await quick(`database restored --to ${to} --events ${log} --yes --json`, {
      env: { DATABASE_URL: copy },
    })
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    expect(JSON.parse(restored.stdout).changed).toEqual({
      sessions: 1,
      grants: 1,
      consents: 1,
      passwords: 1,
      disabled: 1,
      deleted: 1,
      clients: 3,
      keys: 1,
      mails: 1,
    })
    const { keys, ...after } = await state(storage('default'), users('default'))
    expect(after).toEqual({
      session: 0,
      grants: 0,
      consents: 0,
      ann_is_disabled: true,
      with_password: ['cem'],
      with_old_secret: ['kept'],
    })
    expect(keys.filter((kid) => before.keys.includes(kid))).toEqual([])
    expect(await users('default').find('dan-1')).toBeNull()
    expect(await mails.page({ limit: 9 })).toEqual([])
  })

  it('without events nobody has an old password', async ({ onTestFinished }) => {
    const { quick, storage, users } = await place(onTestFinished)
    const { code } = await quick('database restored --to 2026-01-01T00:00:00Z --without-events --yes')
    const after = await state(storage, users)
    expect([code, after.session, after.grants, after.consents, after.with_password]).toEqual([0, 0, 0, 0, []])
  })

  it.for([
    ['who has removed the password for a passkey stays without one', OWN_PASSKEY, false],
    ['with a passkey of another RP ID alone gets a password that only its hash knows', OTHER_PASSKEY, true],
    ['with no password and no passkey gets a password that only its hash knows', APP, true],
  ] as const)('a user of the configuration %s', async ([, factorOf, has_password], { onTestFinished }) => {
    const { quick, users, factors } = await database(onTestFinished)
    const { sub, credential_version } = await makeAnn(users)
    const add = [factorOf(sub)]
    expect(await factors.change({ sub, add }, { credential_version, now: NOW })).toBe(true)
    const { code } = await quick('database restored --to 2026-01-01T00:00:00Z --without-events --yes')
    expect([code, (await users.find(sub))?.password_hash !== null]).toEqual([0, has_password])
    expect(await factors.list(sub)).toEqual(add)
  })

  it('is made safe again when the command was stopped before its end', async ({ onTestFinished }) => {
    const { quick, storage, users, executor } = await place(onTestFinished)
    // The passwords cannot be removed, so what comes before them is done, and what comes after is not.
    await executor.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'stopped'; end $$;
      create trigger refuse before update on oidc_users execute function refuse()`)
    const line = 'database restored --to 2026-01-01T00:00:00Z --without-events --yes'
    const [key] = await storage.keys.list()
    expect((await quick(line)).code).not.toBe(0)
    expect(await state(storage, users)).toMatchObject({
      session: 0,
      grants: 0,
      with_password: PEOPLE,
      keys: [key?.kid],
    })
    await executor.query('drop trigger refuse on oidc_users')
    expect((await quick(line)).code).toBe(0)
    const after = await state(storage, users)
    expect([after.with_password, after.keys.includes(key?.kid ?? '')]).toEqual([[], false])
  })
})

describe('events', () => {
  const TO = '2026-01-01T12:00:00Z'
  const FIRST = { time: '2026-01-01T11:00:00Z', msg: 'listening' }

  it.for([
    ['60 seconds before the time of the backup count, since clocks differ', '2026-01-01T11:59:00Z', false],
    ['61 seconds before it do not', '2026-01-01T11:58:59Z', true],
  ] as const)('%s', async ([, time, kept], { onTestFinished }) => {
    const { quick, users } = await place(onTestFinished)
    const log = await logFile([FIRST, passwordOf('bob-1', time)], onTestFinished)
    expect((await quick(`database restored --to ${TO} --events ${log} --yes`)).code).toBe(0)
    expect((await users.find('bob-1'))?.password_hash !== null).toBe(kept)
  })

  it('count in the order of their times, whatever the order of the logs', async ({ onTestFinished }) => {
    const { quick, users } = await place(onTestFinished)
    const of = (command: string, time: string) => ({
      time,
      event: 'command.done',
      command,
      realm: 'default',
      subject: { sub: 'ann-1' },
    })
    const lines = [
      FIRST,
      of('user disable', '2026-01-01T15:00:00Z'),
      of('user enable', '2026-01-01T14:00:00Z'),
    ]
    const log = await logFile(lines, onTestFinished)
    expect((await quick(`database restored --to ${TO} --events ${log} --yes`)).code).toBe(0)
    expect((await users.find('ann-1'))?.disabled_at).not.toBeNull()
  })

  it.for([
    ['in a row', ' '],
    ['each with its option', ' --events '],
  ] as const)('of several files, %s, count together', async ([, between], { onTestFinished }) => {
    const { quick, users } = await place(onTestFinished)
    const later = passwordOf('cem-1', '2026-01-01T14:00:00Z')
    const logs = [
      await logFile([FIRST, passwordOf('bob-1', '2026-01-01T13:00:00Z')], onTestFinished),
      // Of a server that was started after the backup.
      await logFile([later], onTestFinished),
    ]
    const { code, stderr } = await quick(`database restored --events ${logs.join(between)} --to ${TO} --yes`)
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Give new passwords/)])
    const kept = await Promise.all(PEOPLE.map(async (name) => (await users.find(`${name}-1`))?.password_hash))
    expect(kept.map((hash) => hash !== null)).toEqual([false, false, true])
  })

  it('that begin after the time of the backup are refused, and nothing is changed', async ({
    onTestFinished,
  }) => {
    const { quick, storage } = await place(onTestFinished)
    const log = await logFile([passwordOf('bob-1', '2026-01-01T12:00:01Z')], onTestFinished)
    const { code, stderr } = await quick(`database restored --to ${TO} --events ${log} --yes`)
    expect([code, stderr]).toEqual([
      1,
      `ostiary: ${log} begins at 2026-01-01T12:00:01.000Z, after the time of the backup: add the logs from that time on\n`,
    ])
    expect(await storage.sessions.list('ann-1')).toHaveLength(1)
  })

  it.for([
    ['', 'choose one: --events FILE'],
    ['--without-events --events log.jsonl --to 2026-01-01T12:00:00Z', 'choose one: --events FILE'],
    ['--without-events', '--to: give the time to which the database was restored'],
    ['--without-events --to 2026-01-01T12:00:00', '--to: give the time to which the database was restored'],
    ['--without-events --to 2999-01-01T12:00:00Z', '--to: the time is in the future'],
    ['--events none.jsonl --to 2026-01-01T12:00:00Z', 'none.jsonl cannot be read (ENOENT)'],
    ['--without-events --to 2026-01-01T12:00:00Z --buckets 0-4096', '--buckets: give a range within 0-4095'],
    ['--without-events --to 2026-01-01T12:00:00Z --buckets 7-6', '--buckets: give a range within 0-4095'],
  ] as const)('%s: %s', async ([options, text], { onTestFinished }) => {
    const { quick } = await database(onTestFinished)
    const { code, stderr } = await quick(`database restored --yes ${options}`.trim())
    expect([code === 0, stderr.includes(text)]).toEqual([false, true])
  })
})

describe('a range of buckets', () => {
  it('is made safe alone: the others, clients, keys and mails stay as they are', async ({
    onTestFinished,
  }) => {
    const { quick, storage, users, executor } = await place(onTestFinished)
    const line = 'database restored --to 2026-01-01T00:00:00Z --without-events --yes --buckets'
    const before = await state(storage, users)
    const bucket = bucketByHash('ann-1')
    expect((await quick(`${line} ${bucket + 1}-4095`)).code).toBe(0)
    expect(await state(storage, users)).toMatchObject({
      session: 1,
      grants: 1,
      consents: 1,
      keys: before.keys,
    })
    expect((await quick(`${line} ${bucket}-${bucket}`)).code).toBe(0)
    const after = await state(storage, users)
    expect(after).toMatchObject({ session: 0, grants: 0, consents: 0, keys: before.keys })
    expect(await postgresStores(executor).mails.page({ limit: 9 })).toEqual([queuedMail('a mail')])
    const others = PEOPLE.filter((name) => bucketByHash(`${name}-1`) < bucket)
    expect(after.with_password).toEqual(others)
  })
})
