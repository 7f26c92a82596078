/** Each command that changes or exports something leaves one event that names who ran it; the others leave none. */

import { writeFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { counterOf } from '@ostiary/core'
import { linkRecord } from '@ostiary/test-kit/factors/link-rules'
import { factorRecord, passkeyRecord } from '@ostiary/test-kit/factors/record'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { startSmtp } from '@ostiary/test-kit/mail/smtp'
import { freePort } from '@ostiary/test-kit/ports'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { COMMANDS } from '../../../packages/host/src/cli/commands/index.ts'
import { database, giveGrant, makeAnn, makeKey, NOW, nextWindow, startSession } from './commands.ts'

vi.setConfig({ testTimeout: 300_000 })

type Place = Awaited<ReturnType<typeof place>>

interface Case {
  /** What is done before, with the lines of other commands. */
  before?: (place: Place) => Promise<unknown>
  line: string | ((place: Place) => Promise<string>)
  /** Variables of the command, beside those of all. */
  env?: (addCleanup: CleanUp) => Promise<Record<string, string>>
  /** Fields of the event; null: there is none. */
  event: Record<string, unknown> | null
  reads?: true
}

const DOCUMENT = 'https://app.example.com/client.json'
const made = 'client create --id made --redirect-uri https://made.example.com/callback'
/** A command that changes nothing, so those have one database. */
const reads = (line: string): Case => ({ line, event: null, reads: true })
/** A command on a client that was made before. */
const onMade = (line: string, more: object = {}): Case => ({
  before: ({ quick }) => quick(`${made} --confidential`),
  line,
  event: { realm: 'default', subject: { client_id: 'made' }, ...more },
})
const onAnn = (line: string, more: object = {}): Case => ({
  line,
  event: { realm: 'default', subject: { sub: 'ann-1', username: 'ann' }, ...more },
})

/** Ann is in the configuration, which refuses some changes of her. */
const onBob = (line: string, more: object = {}): Case => ({
  before: ({ quick }) => quick('user create bob --sub bob-1'),
  line,
  event: { realm: 'default', subject: { sub: 'bob-1', username: 'bob' }, ...more },
})

/** A row of the audit. */
const writeRow = ({ executor }: Place) =>
  executor.query(`insert into oidc_audit (realm, audit_id, time, type, outcome, actor, refs, count, data)
    values ('default', 'row', 1, 'request.refused', 'refused', 'stranger', array['7F3A-2C1D'], 1, '{}')`)

/** It has no document, so nothing is asked. */
const WITH_GITHUB = {
  env: async () => ({
    OSTIARY_IDENTITY__UPSTREAMS: JSON.stringify({
      github: { type: 'github', client_id: 'x', client_secret_env: 'GITHUB_SECRET', name: 'GitHub' },
    }),
    GITHUB_SECRET: 'a secret of this test',
  }),
}
const AUDITED = { OSTIARY_AUDIT__ENABLED: 'true' }
const BY_PATH = {
  OSTIARY_REALMS_AT_RUN_TIME: 'true',
  OSTIARY_OIDC__ROUTES__REALMS: 'path',
  OSTIARY_OIDC__REALMS: '{"default":{}}',
}
/** A command on a realm that was made before. */
const onRealm = (line: string, event: object | null): Case => ({
  before: ({ quick }) => quick('realm create shop', BY_PATH),
  line,
  env: async () => BY_PATH,
  event: event && { realm: 'shop', ...event },
})

/** Every command: a new one fails the test until it has a row. */
const CASES: Record<string, Case | 'has the log of the server' | 'is in remote-login.test.ts'> = {
  serve: 'has the log of the server',
  migrate: {
    before: ({ executor }) => executor.query('drop schema public cascade; create schema public'),
    line: 'migrate',
    event: { count: { steps: expect.any(Number) } },
  },
  move: {
    async before({ quick, executor }) {
      await quick('client list', { DATABASE_URL: '' })
      await executor.query(
        'truncate oidc_users, oidc_usernames, oidc_signing_keys, oidc_grants, oidc_sessions, oidc_consents',
      )
      await executor.query('truncate oidc_authorization_codes, oidc_session_clients, oidc_session_browsers')
    },
    line: 'move --yes',
    event: { count: expect.objectContaining({ oidc_users: 0 }) },
  },
  'database restored': {
    line: 'database restored --to 2026-01-01T00:00:00Z --without-events --yes',
    event: { count: expect.objectContaining({ sessions: 1, grants: 1, consents: 1, keys: 1 }) },
  },
  export: {
    line: 'export --with-secrets',
    event: { realm: 'default', with_secrets: true, count: { user: 1, consent: 1, signing_key: 1 } },
  },
  import: {
    async before({ quick, folder, executor }) {
      await writeFile(join(folder, 'realm.jsonl'), (await quick('export')).stdout)
      await executor.query('truncate oidc_consents')
    },
    line: async ({ folder }) => `import ${join(folder, 'realm.jsonl')}`,
    event: { realm: 'default', count: expect.objectContaining({ consent: 1 }) },
  },
  doctor: reads('doctor --offline'),
  'config print': reads('config print'),
  'config schema': reads('config schema'),
  'admin bootstrap': {
    line: 'admin bootstrap bob',
    event: { realm: 'default', subject: { sub: expect.any(String), username: 'bob', role: 'owner' } },
  },
  'admin roles list': reads('admin roles list'),
  login: reads('login'),
  logout: 'is in remote-login.test.ts',
  'admin roles grant': onBob('admin roles grant bob support', {
    subject: { sub: 'bob-1', username: 'bob', role: 'support' },
  }),
  'admin roles revoke': {
    ...onBob('admin roles revoke bob support', {
      subject: { sub: 'bob-1', username: 'bob', role: 'support' },
    }),
    async before({ quick }) {
      await quick('user create bob --sub bob-1')
      await quick('admin roles grant bob support')
    },
  },
  'realm list': onRealm('realm list', null),
  'realm show': onRealm('realm show shop', null),
  'realm create': { line: 'realm create blog', env: async () => BY_PATH, event: { realm: 'blog' } },
  'realm update': onRealm('realm update shop --settings {"identity":{"second_factor":"required"}}', {
    fields: ['identity.second_factor'],
  }),
  'realm delete': onRealm('realm delete shop --yes', {}),
  'keys list': reads('keys list'),
  'keys rotate': { line: 'keys rotate', event: { realm: 'default', subject: { kid: expect.any(String) } } },
  'keys revoke': {
    line: async ({ json, quick }) => `keys revoke --yes -- ${(await json('keys list', quick)).keys[0].kid}`,
    event: { realm: 'default', subject: { kid: expect.any(String) } },
  },
  'secret rotate': {
    line: 'secret rotate',
    env: async () => ({ OIDC_SECRET_PREVIOUS: 'the-secret-of-before-is-long-enough-too' }),
    event: { count: { encrypted_again: 0, apps_encrypted_again: 0, mails_encrypted_again: 0 } },
  },
  'client create': { line: made, event: { realm: 'default', subject: { client_id: 'made' } } },
  'client list': reads('client list'),
  'client show': { ...onMade('client show made'), event: null },
  'client update': onMade('client update made --name Other', { fields: ['client_name'] }),
  'client revoke': onMade('client revoke made --yes'),
  'client rotate-secret': onMade('client rotate-secret made --yes'),
  'client delete': onMade('client delete made --yes', { count: { grants: 0, consents: 0 } }),
  'client documents list': reads('client documents list'),
  'client documents forget': {
    before: ({ storage }) =>
      storage.client_documents.put({
        client_id: DOCUMENT,
        document: '{}',
        etag: null,
        fetched_at: NOW,
        fresh_until: NOW,
        changed_at: NOW,
        expires_at: NOW + 999,
      } as never),
    line: `client documents forget ${DOCUMENT} --yes`,
    event: { realm: 'default', subject: { client_id: DOCUMENT } },
  },
  'user create': {
    line: 'user create bob --sub bob-1',
    event: { realm: 'default', subject: { sub: 'bob-1', username: 'bob' } },
  },
  'user invite': {
    line: 'user invite bob@example.com --username bob',
    event: { realm: 'default', subject: { sub: expect.any(String), username: 'bob' } },
  },
  'user invitations': reads('user invitations'),
  'user import': {
    before: ({ folder }) =>
      writeFile(join(folder, 'users.jsonl'), '{"username":"bob"}\n{"username":"cem"}\n'),
    line: async ({ folder }) => `user import ${join(folder, 'users.jsonl')}`,
    event: { realm: 'default', count: { created: 2, updated: 0 } },
  },
  'user list': reads('user list'),
  'user show': reads('user show ann'),
  'user export': onAnn('user export ann', { with_secrets: false }),
  'user update': onBob('user update bob --claim name=Bob', { fields: expect.any(Array) }),
  'user disable': onAnn('user disable ann', { count: { sessions: 1, grants: 1 } }),
  'user enable': onAnn('user enable ann'),
  'user set-password': onAnn('user set-password ann', { count: { sessions: 1, grants: 1 } }),
  'user recovery-link': onAnn('user recovery-link ann'),
  'user factors list': reads('user factors list ann'),
  'user factors remove': {
    ...onAnn('user factors remove ann --all --yes', { count: { factors: 1, sessions: 1, grants: 1 } }),
    async before({ users, factors }) {
      const ann = await users.findByUsername('ann')
      const version = { credential_version: ann?.credential_version ?? 0, now: NOW }
      await factors.change({ sub: 'ann-1', add: [factorRecord('app', 'ann-1')] }, version)
    },
  },
  'user links list': reads('user links list ann'),
  'user links remove': {
    ...onAnn('user links remove ann --all --yes', { count: { links: 1, sessions: 1, grants: 1 } }),
    async before({ users, factors, links }) {
      const ann = await users.findByUsername('ann')
      const credential_version = ann?.credential_version ?? 0
      const add = [passkeyRecord('key', 'ann-1', 'localhost')]
      await factors.change({ sub: 'ann-1', add }, { credential_version, now: NOW })
      await links.add(linkRecord('ann-1'), { credential_version: credential_version + 1, now: NOW })
    },
  },
  'user delete': onBob('user delete bob --yes', { count: { sessions: 0, grants: 0, consents: 0 } }),
  'consent list': reads('consent list ann'),
  'consent revoke': {
    line: 'consent revoke ann notes',
    event: { realm: 'default', subject: { sub: 'ann-1', client_id: 'notes' }, count: { consents: 1 } },
  },
  'grant list': reads('grant list ann'),
  'grant revoke': { line: 'grant revoke ann', event: { subject: { sub: 'ann-1' }, count: { grants: 1 } } },
  'session list': reads('session list ann'),
  'session end': onAnn('session end --user ann', { count: { sessions: 1, grants: 1 } }),
  'audit list': reads('audit list'),
  'audit show': { before: writeRow, line: 'audit show row', event: null },
  'audit record': {
    before: ({ quick }) => quick(made, AUDITED),
    line: 'audit record --client made --at 0m',
    event: null,
  },
  'audit diff': {
    before: ({ quick }) => quick(made, AUDITED),
    line: 'audit diff --client made --from 0m',
    event: null,
  },
  'audit undo': {
    async before({ quick }) {
      await quick(made, AUDITED)
      await quick('client update made --name Other', AUDITED)
    },
    line: async ({ json, quick }) =>
      `audit undo ${(await json('audit list --type client.update', quick)).rows[0].audit_id} --yes`,
    env: async () => AUDITED,
    event: {
      realm: 'default',
      subject: { client_id: 'made', audit_id: expect.any(String) },
      fields: ['client_name'],
    },
  },
  'audit export': reads('audit export'),
  'audit verify': reads('audit verify'),
  'audit seals': reads('audit seals'),
  'audit sinks': reads('audit sinks'),
  'simulate authorization': {
    before: ({ quick }) => quick(made),
    line: 'simulate authorization made --parameter response_type=code',
    event: null,
  },
  'simulate tokens': {
    before: ({ quick }) => quick(made),
    line: 'simulate tokens made --sub ann-1',
    event: null,
  },
  'simulate sign-in': reads('simulate sign-in --user ann --address 192.0.2.1'),
  explain: { before: writeRow, line: 'explain 7F3A-2C1D', event: null },
  'upstream list': reads('upstream list'),
  'upstream show': { ...WITH_GITHUB, line: 'upstream show github', event: null },
  'upstream check': { ...WITH_GITHUB, line: 'upstream check github', event: null },
  'mail test': {
    async env(addCleanup) {
      const { url, close } = await startSmtp()
      addCleanup(close)
      return { OSTIARY_IDENTITY__MAIL__FROM: 'id@example.com', SMTP_URL: url }
    },
    line: 'mail test ann@example.org',
    event: { realm: 'default', count: { mails: 1 } },
  },
  'throttle list': reads('throttle list --user ann'),
  'throttle reset': {
    before: ({ storage }) =>
      storage.throttle.hit(counterOf('register', '192.0.2.10'), 3600, nextWindow(3600)),
    line: 'throttle reset --address 192.0.2.10',
    event: { realm: 'default', subject: { address: '192.0.2.0/24' }, count: { counters: 1 } },
  },
  purge: {
    before: ({ storage }) => storage.revoked_tokens.add('old', NOW - 999_999),
    line: 'purge',
    event: { realm: 'default', count: { records: 1 } },
  },
  completion: reads('completion bash'),
}

type CleanUp = Parameters<typeof database>[0]

/** Ann with a session, a grant and a consent, in a realm with a key. */
async function place(addCleanup: CleanUp) {
  const made = await database(addCleanup)
  const { storage, users, quick } = made
  await makeAnn(users)
  await makeKey(storage)
  await startSession(storage, 's-1')
  await giveGrant(storage, 'g-1')
  const approved = [{ resource: 'https://id.example.com/api', scopes: ['openid'] }]
  await storage.consents.merge({ sub: 'ann-1', client_id: 'notes', approved }, NOW)
  const folder = await temporaryFolder(addCleanup)
  // The limit of a statement would be reached on a busy machine, and another program may have port 3000.
  const PORT = String(await freePort())
  const busy = { DATA_DIR: folder, PORT, OSTIARY_DATABASE__STATEMENT_TIMEOUT: '0' }
  const here = (line: string, env: Record<string, string> = {}) => quick(line, { env: { ...busy, ...env } })
  return { ...made, folder, quick: here }
}

/** For the commands that change nothing. */
let readPlace: Promise<Place> | undefined
const cleanUps: Parameters<CleanUp>[0][] = []
afterAll(async () => {
  for (const clean of cleanUps.reverse()) await clean()
})

function placeFor(row: Case, addCleanup: CleanUp): Promise<Place> {
  if (row.reads === undefined) return place(addCleanup)
  readPlace ??= place((clean) => cleanUps.push(clean))
  return readPlace
}

describe('a command that changes or exports something leaves one event with an actor', () => {
  it('there is a row for each command', () => {
    expect(Object.keys(CASES).sort()).toEqual(COMMANDS.map(({ name }) => name).sort())
  })

  it.concurrent.for(COMMANDS.map(({ name }) => name))('%s', async (name, { onTestFinished }) => {
    const row = CASES[name]
    if (row === undefined || typeof row === 'string') return
    const here = await placeFor(row, onTestFinished)
    await row.before?.(here)
    const line = typeof row.line === 'string' ? row.line : await row.line(here)
    const { code, stdout, stderr, events } = await here.quick(line, await row.env?.(onTestFinished))
    expect([code, stderr.startsWith('ostiary:')]).toEqual([0, false])
    expect(stdout).not.toContain('command.done')
    const actor = { kind: 'cli', user: userInfo().username, host: hostname() }
    const expected = { level: 'info', msg: 'command.done', event: 'command.done', command: name, actor }
    expect(events).toEqual(row.event === null ? [] : [expect.objectContaining({ ...expected, ...row.event })])
  })

  it.concurrent('nothing is left by a run that changes nothing', async ({ onTestFinished }) => {
    const { quick } = await place(onTestFinished)
    await quick(made)
    for (const line of ['migrate', 'migrate --plan', 'purge', 'client update made --name made'])
      expect([line, (await quick(line)).events]).toEqual([line, []])
  })

  it.concurrent('with --json the document is alone on standard output', async ({ onTestFinished }) => {
    const { quick } = await place(onTestFinished)
    const { stdout, events } = await quick(`${made} --json`)
    expect(JSON.parse(stdout)).toMatchObject({ client_id: 'made' })
    expect(events).toHaveLength(1)
  })
})
