/** Every line of docs/commands.md: a shell splits it into words, and the command runs as described. */

import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { personTag } from '@ostiary/core'
import { migrateDatabase, run as ostiary } from '@ostiary/host'
import { createUser } from '@ostiary/identity'
import {
  type Executor,
  postgresExecutor,
  postgresStorage,
  postgresStores,
  postgresUsers,
} from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { factorRecord } from '@ostiary/test-kit/factors/record'
import { startSmtp } from '@ostiary/test-kit/mail/smtp'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { fencesOf } from './fences.ts'
import { type Environment, emptyFolder, run, SERVE, start } from './shell.ts'

interface Call {
  /** The arguments of `ostiary`. */
  words: string[]
  stdin: string
  env: Environment
}

/** Sets the page's variable, and replaces `ostiary` by a function that prints its input, variables and arguments. */
const PRINT_CALLS = `PASSWORD='a long passphrase'
ostiary() {
  local stdin=''
  if [ -p /dev/stdin ]; then stdin="$(cat)"; fi
  printf '%s\\0' "$stdin" "\${ANN-}" "\${PORT-}" "$#" "$@"
}
`

async function readCalls(cwd: string): Promise<Call[]> {
  const lines = fencesOf('docs/commands.md').map(({ code }) => code)
  const fields = (await run(PRINT_CALLS + lines.join(''), { cwd })).split('\0').slice(0, -1)
  const calls: Call[] = []
  while (fields.length > 0) {
    const [stdin = '', ANN = '', PORT = '', count] = fields.splice(0, 4)
    calls.push({ stdin, env: { ANN, ...(PORT ? { PORT } : {}) }, words: fields.splice(0, Number(count)) })
  }
  return calls
}

/** The consent of ann to the client notes, as the page describes it. */
async function addConsent(executor: Executor): Promise<void> {
  const ann = await postgresUsers(executor)('default').findByUsername('ann')
  const approved = [{ resource: 'https://id.example.com/api', scopes: ['openid'] }]
  const approval = { sub: ann?.sub ?? '', client_id: 'notes', approved }
  await postgresStorage(executor)('default').consents.merge(approval, Math.floor(Date.now() / 1000))
}

/** A grant of ann to the client notes. */
async function addGrant(executor: Executor): Promise<void> {
  const ann = await postgresUsers(executor)('default').findByUsername('ann')
  const grant_id = randomUUID() + personTag(ann?.sub ?? '')
  const now = Math.floor(Date.now() / 1000)
  const grant = {
    grant_id,
    client_id: 'notes',
    sub: ann?.sub ?? '',
    sid: 'sid',
    offline: true,
    scopes: ['openid'],
    resource: 'https://id.example.com/api',
    auth_time: now,
    amr: ['pwd'],
    acr: null,
    client_auth: null,
    jkt: null,
    created_at: now,
    expires_at: now + 3600,
    revoked_at: null,
  }
  await postgresStorage(executor)('default').grants.create(grant, {
    code_hash: grant_id,
    grant_id,
    redirect_uri: 'https://notes.example.com/callback',
    redirect_uri_sent: true,
    code_challenge: 'challenge',
    nonce: null,
    dpop_jkt: null,
    expires_at: now + 60,
    redeemed_at: null,
  })
}

/** A passkey or app of ann with the id of the page, or with any. */
async function addFactor(executor: Executor, factor_id = 'app'): Promise<void> {
  const ann = await postgresUsers(executor)('default').findByUsername('ann')
  if (ann === null) throw new Error('There is no user ann')
  const { sub, credential_version } = ann
  const now = Math.floor(Date.now() / 1000)
  const factor = { ...factorRecord('app', sub), factor_id }
  await postgresStores(executor)
    .factors('default')
    .change({ sub, add: [factor] }, { credential_version, now })
}

/** An account of ann at a provider. */
async function addLink(executor: Executor, upstream = 'google'): Promise<void> {
  const ann = await postgresUsers(executor)('default').findByUsername('ann')
  if (ann === null) throw new Error('There is no user ann')
  const { sub, credential_version } = ann
  const link = {
    issuer: 'https://accounts.google.com',
    subject: '1',
    upstream,
    sub,
    label: 'ann@example.com',
  }
  const now = Math.floor(Date.now() / 1000)
  const { links } = postgresStores(executor)
  await links('default').add({ ...link, linked_at: now, last_used_at: null }, { credential_version, now })
}

/** A recovery of ann that waits. */
async function addWaiting(executor: Executor): Promise<void> {
  const ann = await postgresUsers(executor)('default').findByUsername('ann')
  if (ann === null) throw new Error('There is no user ann')
  const { sub, credential_version } = ann
  const times = { created_at: 1, expires_at: 4_000_000_000 }
  const ticket_hash = `waits${personTag(sub)}`
  const { tickets } = postgresStores(executor)
  await tickets('default').put({ ticket_hash, purpose: 'wait', sub, credential_version, ...times })
}

/** The leaked key of the page, which the command then revokes. */
async function addUser(executor: Executor, sub: string): Promise<void> {
  const users = postgresUsers(executor)('default')
  if ((await users.find(sub)) === null) await createUser(users, { username: 'eve', sub })
}

/** The file of a client that signs assertions. */
function publicKey(): string {
  const { publicKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return JSON.stringify({ keys: [key.export({ format: 'jwk' })] })
}

/** The metadata document of a client. */
async function addDocument(executor: Executor, client_id: string): Promise<void> {
  const times = { fetched_at: 1, fresh_until: 1, changed_at: 1, expires_at: 4_000_000_000 }
  const document = { client_id, document: '{}', etag: null, last_modified: null, ...times }
  await postgresStorage(executor)('default').client_documents.put(document)
}

/** A row with this id and this reference. */
async function addAuditRow(executor: Executor, name: string): Promise<void> {
  await executor.query(
    `insert into oidc_audit (realm, audit_id, time, type, outcome, actor, refs, count, data)
      values ('default', $1, extract(epoch from now())::bigint, 'request.refused', 'refused', 'stranger', array[$1::text], 1, '{}')`,
    [name],
  )
}

/** Rows about the client and the user of the page, older than its times. */
async function addOldRows(executor: Executor): Promise<void> {
  await executor.query(
    `insert into oidc_audit (realm, audit_id, time, type, outcome, actor, client_id, sub, refs, count, data)
      values ('default', '0', 1, 'client.delete', 'done', 'system', 'notes', null, '{}', 1, '{}'),
        ('default', '1', 1, 'user.delete', 'done', 'system', null, 'ann-1', '{}', 1, '{}') on conflict do nothing`,
  )
}

/** A row of a change of a user, as audit undo finds it. */
async function addChange(executor: Executor, audit_id: string): Promise<void> {
  const users = postgresUsers(executor)('default')
  if ((await users.find('fay')) === null)
    await createUser(users, { username: 'fay', sub: 'fay', name: 'New' })
  const changed = JSON.stringify({ before: { claims: { name: 'Old' } }, after: { claims: { name: 'New' } } })
  await executor.query(
    `insert into oidc_audit (realm, audit_id, time, type, outcome, actor, sub, refs, count, data, private)
      values ('default', $1, 2, 'user.update', 'done', 'system', 'fay', '{}', 1, '{"fields":["claims"]}', $2)
      on conflict (realm, audit_id) do update set (type, outcome, sub, data, private) =
        (excluded.type, excluded.outcome, excluded.sub, excluded.data, excluded.private)`,
    [audit_id, changed],
  )
}

async function addLeakedKey(executor: Executor, kid: string): Promise<void> {
  const { keys } = postgresStorage(executor)('default')
  const [signing] = await keys.list()
  if (signing) await keys.add({ ...signing, kid, signs_from: 1 })
}

/** An embedded database with a key, and an empty one to which it can move. */
async function embeddedDatabase({ cwd, secret }: { cwd: string; secret: string }): Promise<Environment> {
  const DATA_DIR = await emptyFolder()
  const silent = { cwd, stdin: async () => '', out: () => {}, err: () => {} }
  const env = { OIDC_SECRET: secret, DATA_DIR }
  expect(await ostiary(['keys', 'list'], { serve: async () => 0 }, { ...silent, env })).toBe(0)
  return { DATA_DIR, DATABASE_URL: await ownDatabase() }
}

/** The page names it. */
const SID = 'Z4Yc8nPzRk2VbqH3xwLm0A'

async function addSession(executor: Executor): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  await postgresStorage(executor)('default').sessions.create({
    sid: SID,
    session_hash: 'hash',
    sub: 'another-user',
    auth_time: now,
    amr: ['pwd'],
    acr: null,
    created_at: now,
    expires_at: now + 3600,
    user_agent: null,
    raised_at: null,
    last_used_at: null,
    client_ids: [],
  })
}

/** The providers of the page; one is asked, on this machine. */
async function upstreamEnv(): Promise<Environment> {
  const server = createServer(({ url }, response) => {
    const document = {
      issuer,
      authorization_endpoint: issuer,
      token_endpoint: issuer,
      jwks_uri: `${issuer}/keys`,
    }
    response.end(JSON.stringify(url === '/keys' ? { keys: [{}] } : document))
  })
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const common = { type: 'oidc', client_id: 'x', client_secret_env: 'UPSTREAM_SECRET' }
  const google = { ...common, issuer: 'https://accounts.google.com', name: 'Google' }
  const OSTIARY_IDENTITY__UPSTREAMS = JSON.stringify({ google, corp: { ...common, issuer, name: 'Corp' } })
  return { OSTIARY_IDENTITY__UPSTREAMS, UPSTREAM_SECRET: 'a secret of this test' }
}

const TWO_ALGORITHMS: Environment = { OSTIARY_CONFIG: 'two-algorithms.json' }

it('each line of docs/commands.md can be typed as it is', async () => {
  const cwd = await emptyFolder()
  const DATABASE_URL = await ownDatabase()
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const config = {
    app: { url: issuer },
    oidc: {
      routes: { realms: 'path' },
      realms: { default: {}, acme: {} },
      clients: { private_key_jwt: true },
    },
  }
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(config))
  // keys rotate takes --alg where several algorithms are listed, and there alone.
  const keys = { algorithms: ['RS256', 'ES256'] }
  await writeFile(
    join(cwd, 'two-algorithms.json'),
    JSON.stringify({ ...config, oidc: { ...config.oidc, keys } }),
  )
  await writeFile(join(cwd, 'signer-keys.json'), publicKey())
  await writeFile(join(cwd, 'users.jsonl'), '{"username":"moved"}\n')
  await writeFile(join(cwd, 'users.jsonl.gz'), gzipSync('{"username":"moved","name":"Moved"}\n'))
  for (const name of ['server', 'commands'])
    await writeFile(join(cwd, `${name}.jsonl`), '{"time":"2026-01-31T11:59:59Z","msg":"listening"}')
  await writeFile(join(cwd, 'seals.jsonl'), '')
  const env = { OIDC_SECRET: SECRET, DATABASE_URL, PORT: `${port}`, XDG_CONFIG_HOME: cwd }

  await migrateDatabase(env, { cwd, plan_only: false })
  const executor = postgresExecutor(DATABASE_URL, { ...UNLIMITED, connections: 1 })
  onTestFinished(() => executor.close())
  const storage = postgresStorage(executor)('default')
  await start(SERVE, { cwd, env }).says('"msg":"listening"')
  const mail_server = await startSmtp()
  onTestFinished(() => mail_server.close())
  const upstream_env = await upstreamEnv()
  const mail_env = { OSTIARY_IDENTITY__MAIL__FROM: 'id@example.com', SMTP_URL: mail_server.url }

  const calls = await readCalls(cwd)
  const lines = fencesOf('docs/commands.md').flatMap(({ code }) => code.match(/^[^#\n].*$/gm) ?? []).length
  expect(calls).toHaveLength(lines)
  for (const { words, stdin, env: callEnv } of calls) {
    // remote-commands.long.test.ts signs in to a server, and out.
    if (/^log(?:in|out) https/.test(words.join(' '))) continue
    if (words[0] === 'consent') await addConsent(executor)
    if (words[0] === 'grant') await addGrant(executor)
    if (words.includes(SID)) await addSession(executor)
    if (/^(?:audit show|explain)/.test(words.join(' '))) await addAuditRow(executor, words.at(-1) ?? '')
    if (/^audit (?:record|diff)/.test(words.join(' '))) await addOldRows(executor)
    if (/^audit undo/.test(words.join(' '))) await addChange(executor, words[2] ?? '')
    if (words[2] === 'forget') await addDocument(executor, words[3] ?? '')
    if (words.join(' ').startsWith('keys revoke')) await addLeakedKey(executor, words[2] ?? '')
    if (words.join(' ').startsWith('user factors remove'))
      await addFactor(executor, words.includes('--id') ? words.at(-1) : undefined)
    if (words.includes('--cancel')) await addWaiting(executor)
    if (words.join(' ').startsWith('user links remove')) await addLink(executor, words.at(-1))
    if (/^user (show|delete) --sub$/.test(words.slice(0, 3).join(' ')))
      await addUser(executor, words[3] ?? '')
    const moving = words[0] === 'move' ? await embeddedDatabase({ cwd, secret: SECRET }) : {}
    const output: string[] = []
    const write = (text: string) => void output.push(text)
    // The name that has to be typed, or y.
    const ask = async (question: string) => /Type (\S+) to continue/.exec(question)?.[1] ?? 'y'
    const terminal = {
      env: {
        ...env,
        ...callEnv,
        ...moving,
        ...(words.includes('--alg') && TWO_ALGORITHMS),
        ...(words[0] === 'mail' && mail_env),
        ...(words[0] === 'realm' && { OSTIARY_REALMS_AT_RUN_TIME: 'true' }),
        ...(words[0] === 'upstream' && upstream_env),
        ...(words[1] === 'undo' && { OSTIARY_AUDIT__ENABLED: 'true' }),
        ...(words[0] === 'secret' && { OIDC_SECRET_PREVIOUS: 'the-secret-of-before-is-long-enough-too' }),
      },
      cwd,
      stdin: async () => stdin,
      out: write,
      err: write,
      ask,
    }
    const code = await ostiary(words, { serve: async () => 0 }, terminal)
    expect({ code, output: output.join('') }, `ostiary ${words.join(' ')}`).toMatchObject({ code: 0 })
    // No server has sealed the old rows, which audit verify would say.
    if (words[0] === 'audit') await executor.query('delete from oidc_audit where time < 10')
  }
  expect(await postgresUsers(executor)('default').findByUsername('bob')).not.toBeNull()
  expect((await storage.clients.find('notes'))?.revoked_at).not.toBeNull()
  expect(await storage.sessions.find('hash')).toBeNull()
  expect(mail_server.mails).toHaveLength(1)
  expect((await postgresUsers(executor)('default').find('fay'))?.claims).toEqual({ name: 'Old' })
}, 480_000)
