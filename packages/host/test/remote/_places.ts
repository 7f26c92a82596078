/** Two equal databases: commands run on one of them as on the machine, and on the other one over the admin API of a server. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRoleStore } from '@ostiary/admin'
import { AdminApiError, type AdminCall, type AdminConnection } from '@ostiary/admin-client'
import {
  type Executor,
  MIGRATIONS,
  migrations,
  postgresExecutor,
  postgresStores,
} from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { type Content, filledDatabase } from '@ostiary/test-kit/filled-database'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { onTestFinished, vi } from 'vitest'
import { readLine } from '../../src/cli/loaded.ts'
import { configuredLog, createApp, openStorage, readConfig } from '../../src/index.ts'
import { SECRET } from '../support.ts'

export const SERVER = 'http://localhost:4000'
const RESOURCE = `${SERVER}/admin/api/v1`
const CLIENT_SECRET = 'Zq3vB7nM1kXc9wR5tY2uP8sD4fG6hJ0a'
const SCOPES = ['clients', 'users', 'consents', 'sessions', 'keys', 'audit', 'realms', 'roles'].map(
  (area) => `admin.${area}:write`,
)

export const CONFIG = {
  app: { url: SERVER },
  // A connection costs the processor time of a hundred statements, and each command opens its own.
  database: { pool_size: 2 },
  oidc: { acr: 'require', clients: { private_key_jwt: true } },
  admin: { enabled: true, allow_client_secrets: true },
  audit: { enabled: true },
  identity: { second_factor: 'optional', sign_in_with: ['username', 'email'] },
  clients: [
    { client_id: 'fixed', redirect_uris: ['https://fixed.example.com/callback'] },
    {
      client_id: 'deploy',
      client_secret: CLIENT_SECRET,
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      optional_scopes: SCOPES.map((scope) => `${RESOURCE} ${scope}`),
    },
  ],
  users: [{ username: 'fay', sub: 'fay-1', password: 'correct horse battery', name: 'Fay Fixed' }],
}

/** The same with another provider. */
export const UPSTREAM = {
  ...CONFIG,
  identity: {
    ...CONFIG.identity,
    upstreams: {
      google: {
        type: 'oidc',
        issuer: 'https://accounts.google.com',
        client_id: 'x',
        client_secret_env: 'GOOGLE_CLIENT_SECRET',
        name: 'Google',
      },
    },
  },
}

/** The same with mails. */
export const MAILS = { ...CONFIG, identity: { ...CONFIG.identity, mail: { from: 'id@example.com' } } }

/** What a run prints, or why it fails. */
export interface Run {
  code: number
  /** The text, the document and the note; undefined for a failure. */
  printed?: { text: string; json: unknown; note?: string | undefined }
  failure?: unknown
  /** What it says before it asks. */
  asked: string
  event: unknown
}

export interface Given {
  stdin?: string
  /** Typed at each question. */
  typed?: string
  connect?: ((server: string) => Promise<AdminConnection>) | undefined
}

export interface PlaceOptions {
  config?: object
  role?: Role
  /** The mail server of the realm. */
  smtp_url?: string
}

type Role = 'owner' | 'support' | 'auditor' | 'manager'

/** No mail server is there. */
const NO_SMTP = 'smtp://127.0.0.1:1'
const ENV = {
  OIDC_SECRET: SECRET,
  LOG_FORMAT: 'json',
  GOOGLE_CLIENT_SECRET: 'not-used-here',
  SMTP_URL: NO_SMTP,
}

/** A database to which a server has written its configuration. */
const startedOnce = (config: object, role: Role): Content => ({
  key: JSON.stringify([MIGRATIONS, config, role]),
  async fill(url) {
    const executor = postgresExecutor(url, { ...UNLIMITED, connections: 1 })
    await migrations(executor).migrate()
    await openRoleStore({ records: executor }).change('default', () => ({
      put: { holder: 'client:deploy', role, realms: ['*'] },
    }))
    await (await started({ ...ENV, DATABASE_URL: url }, config)).stop()
    // Where it was written: a copy of it is another database.
    await executor.query('delete from oidc_database')
    await executor.close()
  },
})

export async function place({ config = CONFIG, role = 'owner', smtp_url = NO_SMTP }: PlaceOptions = {}) {
  waitForAnswers()
  const { url, drop } = await filledDatabase(startedOnce(config, role))
  onTestFinished(drop)
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 1 })
  onTestFinished(() => executor.close())
  const cwd = await folderWith(config)
  const env = { ...ENV, DATABASE_URL: url, SMTP_URL: smtp_url }
  let server: ReturnType<typeof started> | undefined
  /** The server starts with the first connection. */
  const connect = async (name: string) => {
    server ??= started(env, config)
    return connectionTo((await server).app, {
      name,
      path: 'realms_at_run_time' in config ? '/realms/default' : '',
    })
  }
  onTestFinished(async () => (await server)?.stop())
  const command = (line: string | readonly string[], given: Given = {}) =>
    observed(typeof line === 'string' ? line.split(' ') : line, { ...given, cwd, env })
  return { command, executor, cwd, url, connect, ...storesOf(executor) }
}

export type Place = Awaited<ReturnType<typeof place>>

/** Runs a command as `run` does, and keeps both the text and the document. */
async function observed(
  words: readonly string[],
  given: Given & { cwd: string; env: Record<string, string> },
): Promise<Run> {
  const { stdin = '', typed, connect, cwd, env } = given
  const asked: string[] = []
  const context = {
    env,
    cwd,
    out: () => {},
    err: (text: string) => void asked.push(text),
    stdin: async () => stdin,
    async *stdinBytes() {},
    serve: async () => 0,
    ...(connect && { connect }),
    ...(typed !== undefined && {
      ask: async (question: string) => {
        asked.push(`${question}\n`)
        return typed
      },
    }),
  }
  try {
    const parsed = await readLine(words)
    if (!('command' in parsed)) throw new Error('no command')
    const result = await parsed.command.run(parsed.input, context)
    if (typeof result === 'number') throw new Error('it serves')
    const { text, json, note, code = 0 } = result
    return {
      code,
      printed: { text, json, note },
      asked: asked.join(''),
      event: 'event' in result ? result.event : null,
    }
  } catch (error) {
    const { name, message, code = 1, faults } = error as Error & { code?: number; faults?: unknown }
    if (!EXPECTED.includes(name)) throw error
    return { code, failure: { message, faults }, asked: asked.join(''), event: null }
  }
}

const EXPECTED = ['CommandError', 'UserError', 'ClientInputError']

async function folderWith(config: object): Promise<string> {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(config))
  return cwd
}

const storesOf = (executor: Executor) => {
  const { storage, users, factors, links, tickets } = postgresStores(executor)
  return {
    storage: storage('default'),
    users: users('default'),
    factors: factors('default'),
    links: links('default'),
    tickets: tickets('default'),
  }
}

/** After it, the admin API gives up. A key takes longer on a busy machine, by chance. */
const ANSWER_MS = 5000
const { setTimeout: startTimer } = globalThis

function waitForAnswers(): void {
  vi.stubGlobal('setTimeout', (work: () => void, ms?: number, ...more: unknown[]) =>
    startTimer(work, ms === ANSWER_MS ? 2 ** 31 - 1 : ms, ...more),
  )
}

async function started(env: Record<string, string>, file: object) {
  const config = await readConfig(env, await folderWith(file))
  const log = configuredLog(config, () => {})
  const storage = await openStorage(config.storage, log)
  const app = await createApp(config, { log, storage })
  await app.start()
  return {
    app,
    async stop() {
      await app.stop()
      await storage.close()
    },
  }
}

type App = Awaited<ReturnType<typeof started>>['app']

/** With access tokens of the client `deploy`. */
async function connectionTo(
  app: App,
  { name: server, path }: { name: string; path: string },
): Promise<AdminConnection> {
  const send = (path: string, init: RequestInit) =>
    app.fetch(new Request(SERVER + path, init), { address: '192.0.2.1' })
  const newToken = () => tokenOf((token_path, init) => send(path + token_path, init))
  let access_token = await newToken()
  const call = async ({ method, path: below, query = {}, body, headers }: AdminCall) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const response = await send(`/admin/api/v1${below}?${new URLSearchParams(query)}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': type, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
  return {
    server,
    async request(given) {
      let answer = await call(given)
      // The key that has signed the token may be withdrawn.
      if (answer.status === 401) access_token = await newToken()
      if (answer.status === 401) answer = await call(given)
      if (answer.status >= 400) throw new AdminApiError(answer.status, answer.body)
      return answer
    },
  }
}

async function tokenOf(send: (path: string, init: RequestInit) => Promise<Response>): Promise<string> {
  const form = {
    grant_type: 'client_credentials',
    client_id: 'deploy',
    client_secret: CLIENT_SECRET,
    resource: RESOURCE,
    scope: SCOPES.join(' '),
  }
  const answer = await send('/oauth/token', { method: 'POST', body: new URLSearchParams(form) })
  return (await answer.json()).access_token
}

/** What differs from run to run in a text: times, and what is random. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g, '<time>'],
  [/^((?:password|link|client_secret) +)\S{16,}/gm, '$1<random>'],
  [/^((?:sub|client_id|client_name) +)[\w-]{22}$/gm, '$1<id>'],
  [/^[\w-]{22}$/, '<id>'],
  // Of tokens and sessions: in a document, and quoted in a text.
  [/^[\w-]{32}(?:\.[\w-]{22})?$/, '<id>'],
  [/"(?:[\w-]{22}|[\w-]{32}(?:\.[\w-]{22})?)"/g, '"<id>"'],
  [/(recovery-link|client update) [\w-]{22}\b/g, '$1 <id>'],
  [/[\w-]{43}/g, '<random>'],
  // Epoch seconds of this century.
  [/\b[12]\d{9}\b/g, '<seconds>'],
]
const RANDOM = ['password', 'link', 'client_secret']
/** Epoch seconds are more. */
const SECONDS = 1_700_000_000

/** A value without them. */
export function steady(value: unknown, name = ''): unknown {
  if (typeof value === 'number') return value > SECONDS ? '<seconds>' : value
  if (typeof value === 'string' && RANDOM.includes(name)) return '<random>'
  if (typeof value === 'string')
    return VARYING.reduce((text, [pattern, word]) => text.replace(pattern, word), value)
  if (Array.isArray(value)) return value.map((member) => steady(member))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, steady(member, key)]))
}
