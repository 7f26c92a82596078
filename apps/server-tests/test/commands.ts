/** Runs commands on a new database, and gives access to its records. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProvider, personTag, type RealmStorage, type SigningKey } from '@ostiary/core'
import { run as runHere } from '@ostiary/host'
import { createUser, type UserStore } from '@ostiary/identity'
import { postgresExecutor, postgresStores } from '@ostiary/storage-postgres'
import { type CleanUp, UNLIMITED } from '@ostiary/test-kit/database'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { freePort } from '@ostiary/test-kit/ports'
import { configFor, DEFAULT_KEYS, type Exit, run, SECRET, type StartOptions } from '@ostiary/test-kit/server'

export const START = {
  config: configFor('http://localhost:8080/callback', DEFAULT_KEYS),
  env: { OIDC_SECRET: SECRET },
}

/** The line is split at its spaces. */
export type Ostiary = (
  line: string,
  more?: Pick<StartOptions, 'stdin' | 'env' | 'config'>,
) => Promise<CommandExit>

/** `stderr` is without the events. */
export interface CommandExit extends Exit {
  events: Record<string, unknown>[]
}

function withEvents({ stderr, ...exit }: Exit): CommandExit {
  const lines = stderr.split(/(?<=\n)/)
  const isEvent = (line: string) => line.startsWith('{') && line.includes('"event":"command.done"')
  return {
    ...exit,
    stderr: lines.filter((line) => !isEvent(line)).join(''),
    events: lines.filter(isEvent).map((line) => JSON.parse(line)),
  }
}

export interface QuickOptions {
  stdin?: string
  config?: unknown
  env?: Record<string, string>
  /** There is a terminal, on which this is typed at each question. */
  typed?: string
}

export async function database(addCleanup: CleanUp) {
  const url = await migratedDatabase(addCleanup)
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 1 })
  addCleanup(() => executor.close())
  const start = { ...START, env: { ...START.env, DATABASE_URL: url } }
  const ostiary: Ostiary = async (line, { env = {}, ...more } = {}) =>
    withEvents(await run({ ...start, ...more, env: { ...start.env, ...env }, args: line.split(' ') }))
  const quick = async (line: string, { env = {}, ...more }: QuickOptions = {}): Promise<CommandExit> =>
    withEvents(await inThisProcess(line, { env: { ...start.env, ...env }, ...more }))
  const { storage, users, factors, links } = postgresStores(executor)
  return {
    /** `quick` runs the command in this process: for commands that another call runs as a process. */
    ostiary,
    quick,
    executor,
    env: start.env,
    /** What it prints with `--json`. */
    async json(line: string, how: (line: string) => Promise<Exit> = quick) {
      const { code, stdout, stderr } = await how(`${line} --json`)
      if (code !== 0) throw new Error(`ostiary ${line}: ${code} ${stderr}`)
      return JSON.parse(stdout)
    },
    storage: storage('default'),
    users: users('default'),
    factors: factors('default'),
    links: links('default'),
  }
}

export async function inThisProcess(line: string, options: QuickOptions): Promise<Exit> {
  const { env = {}, stdin = '', typed, config = START.config(3000) } = options
  const cwd = await mkdtemp(join(tmpdir(), 'ostiary-commands-'))
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(config))
  const [out, err]: [string[], string[]] = [[], []]
  // `doctor` looks whether the port is free: that of the configuration may be another program's.
  const PORT = String(await freePort())
  const code = await runHere(
    line.split(' '),
    { serve: async () => 0 },
    {
      env: { PORT, ...env },
      cwd,
      stdin: async () => stdin,
      ...(typed !== undefined && {
        ask: async (question: string) => {
          err.push(question)
          return typed
        },
      }),
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
    },
  )
  await rm(cwd, { recursive: true, force: true })
  return { code, signal: null, stdout: out.join(''), stderr: err.join('') }
}

/** A user whom the commands find by the name `ann`. */
export const makeAnn = (users: UserStore) => createUser(users, { username: 'ann', sub: 'ann-1' })

/** It takes longer to make than most tests to run. */
let madeKeys: SigningKey[] | undefined

/** Gives the realm its first key, encrypted with the tests' secret: all realms of a file have the same one. */
export async function makeKey(storage: RealmStorage): Promise<void> {
  for (const key of madeKeys ?? []) await storage.keys.ensure(key)
  const provider = createProvider({
    oidc: { issuer: 'http://localhost' },
    secret: SECRET,
    storage: () => storage,
    accounts: { find: async () => null },
    interactions: { login: async () => new Response() },
  })
  await (await provider.manage()).keys.ready()
  madeKeys ??= await storage.keys.list()
}

export const NOW = Math.floor(Date.now() / 1000)

/** A time in the next window of this length, for counters that a command has to find: the current one may end during the test. */
export const nextWindow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds
export const LATER = NOW + 86_400

interface Given {
  client_id?: string
  resource?: string | null
  offline?: boolean
}

/** The id or hash with this name of a record of the user. */
export const idOf = (name: string, sub = 'ann-1'): string => `${name}-${personTag(sub)}`

export async function giveGrant(storage: RealmStorage, name: string, given: Given = {}): Promise<void> {
  const grant_id = idOf(name)
  const grant = {
    grant_id,
    client_id: 'notes',
    sub: 'ann-1',
    sid: idOf('s-1'),
    offline: false,
    scopes: ['openid'],
    resource: null,
    auth_time: NOW,
    amr: ['pwd'],
    acr: '1',
    client_auth: null,
    jkt: null,
    created_at: NOW,
    expires_at: LATER,
    revoked_at: null,
    ...given,
  }
  const code = {
    code_hash: idOf(`code-of-${name}`),
    grant_id,
    redirect_uri: 'https://app.example/cb',
    redirect_uri_sent: true,
    code_challenge: 'a'.repeat(43),
    nonce: null,
    dpop_jkt: null,
    expires_at: LATER,
    redeemed_at: null,
  }
  await storage.grants.create(grant, code)
}

export async function startSession(storage: RealmStorage, name: string): Promise<void> {
  await storage.sessions.create({
    sid: idOf(name),
    session_hash: idOf(`hash-of-${name}`),
    sub: 'ann-1',
    auth_time: NOW,
    amr: ['pwd'],
    acr: '1',
    created_at: NOW,
    expires_at: LATER,
    user_agent: null,
    last_used_at: null,
    raised_at: null,
    client_ids: ['notes'],
  })
}
