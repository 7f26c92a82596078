/** Each test has its own folder, with a configuration, and an app that logs into a list. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SigningKey } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { memoryUserStores } from '@ostiary/identity'
import { memoryMailQueue } from '@ostiary/identity/mail'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { onTestFinished } from 'vitest'
import {
  type App,
  configuredLog,
  createApp,
  type Environment,
  type HostConfig,
  type HostStorage,
  readConfig,
} from '../src/index.ts'

export const SECRET = 'the-secret-of-the-tests-is-long-enough'
export const PASSWORD = 'correct horse battery'

export const FILE = {
  app: { url: 'http://localhost:4000' },
  clients: [{ client_id: 'app', redirect_uris: ['http://localhost:8080/callback'] }],
  users: [{ username: 'ann', password: PASSWORD, name: 'Ann Example' }],
}

export const folder = (): Promise<string> => temporaryFolder()

/** Reads a configuration: the file (a string as it is, another value as JSON) and these variables. */
export async function configure(file: unknown, env: Environment = {}): Promise<HostConfig> {
  const cwd = await folder()
  const text = typeof file === 'string' ? file : JSON.stringify(file)
  await writeFile(join(cwd, 'ostiary.config.json'), text)
  return readConfig({ OIDC_SECRET: SECRET, ...env }, cwd)
}

/** The faults of a configuration, one line each. */
export async function faults(file: unknown, env: Environment = {}): Promise<string[]> {
  return configure(file, env).then(
    () => [],
    (error: Error) => {
      if (error.name !== 'ConfigError') throw error
      return error.message.split('\n')
    },
  )
}

/** For tests that are not about storage. */
export function inMemory(): HostStorage {
  return {
    storage: memoryStorage(),
    ...memoryUserStores(),
    mails: memoryMailQueue(),
    parts: {},
    close: async () => {},
  }
}

export interface RunningApp {
  app: App
  config: HostConfig
  /** The log: one line for each entry. */
  lines: string[]
  /** The log lines with this message, parsed. */
  logged(msg: string): Record<string, unknown>[]
  get(path: string, init?: RequestInit & { address?: string }): Promise<Response>
}

/** By the name of the realm and the secret of the app that made them: a key takes longer to make than most tests to run. */
const madeKeys = new Map<string, SigningKey[]>()

interface Started extends Pick<HostStorage, 'storage'> {
  app: App
  config: HostConfig
  /** Then its keys may be made in the future: they are not kept for apps with the system's clock. */
  has_own_clock: boolean
}

/** Starts an app with the keys that another one has made; the first one makes them. */
async function startWithKeys({ app, storage, config, has_own_clock }: Started): Promise<void> {
  const realms = ['default', ...Object.keys(config.oidc.realms ?? {})]
  const keysOf = (realm: string) => ({ name: `${realm} ${config.secret}`, keys: storage(realm).keys })
  for (const { name, keys } of realms.map(keysOf))
    for (const key of madeKeys.get(name) ?? []) await keys.add(key)
  await app.start()
  if (has_own_clock) return
  for (const { name, keys } of realms.map(keysOf)) madeKeys.set(name, await keys.list())
}

interface StartOptions {
  now?: () => number
  /** Milliseconds between two ticks. */
  tick_every?: number
  storage?: HostStorage
}

export async function startApp(
  file: unknown = FILE,
  env: Environment = {},
  { storage = inMemory(), ...options }: StartOptions = {},
): Promise<RunningApp> {
  const config = await configure(file, env)
  const lines: string[] = []
  const log = configuredLog(config, (line) => lines.push(line))
  const app = await createApp(config, { log, storage, ...options })
  await startWithKeys({ app, ...storage, config, has_own_clock: options.now !== undefined })
  onTestFinished(() => app.stop())
  return {
    app,
    config,
    lines,
    logged: (msg) => lines.map((line) => JSON.parse(line)).filter((entry) => entry.msg === msg),
    get: (path, { address, ...init } = {}) =>
      app.fetch(new Request(new URL(path, config.issuer), init), { address }),
  }
}
