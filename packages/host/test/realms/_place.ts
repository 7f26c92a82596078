/** A server with realms at run time, and a second process that changes them. */

import { databaseRealms, type RealmSettings, type RealmStore } from '@ostiary/realms'
import {
  type Executor,
  type PostgresStores,
  postgresExecutor,
  postgresStores,
} from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { onTestFinished } from 'vitest'
import { type App, type AppOptions, configuredLog, createApp } from '../../src/index.ts'
import { configure } from '../support.ts'

export const ORIGIN = 'http://localhost:4000'
export const FILE = {
  app: { url: ORIGIN },
  // An RSA key takes longer to make.
  oidc: { routes: { realms: 'path' }, realms: { main: {} }, keys: { algorithms: ['ES256'] } },
  realms_at_run_time: true,
}

export interface RealmsPlace {
  url: string
  executor: Executor
  /** As another process uses it. */
  store: RealmStore
  stores: PostgresStores
  make(id: string, settings?: RealmSettings): Promise<void>
  start(
    file?: object,
    options?: Partial<AppOptions> & { env?: Record<string, string> },
  ): Promise<RunningRealms>
}

export interface RunningRealms {
  app: App
  lines: string[]
  get(path: string, init?: RequestInit): Promise<Response>
}

export const now = (): number => Math.floor(Date.now() / 1000)

export async function realmsPlace(): Promise<RealmsPlace> {
  const url = await migratedDatabase()
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 2 })
  onTestFinished(() => executor.close())
  const store = databaseRealms(executor)
  return {
    url,
    executor,
    store,
    stores: postgresStores(executor),
    async make(id, settings = {}) {
      const made = await store.create({ id, settings }, now())
      if (typeof made === 'string') throw new Error(made)
    },
    async start(file = FILE, { env = {}, ...options } = {}) {
      const config = await configure(file, { DATABASE_URL: url, ...env })
      const lines: string[] = []
      const log = configuredLog(config, (line) => lines.push(line))
      const app = await createApp(config, { log, ...options })
      onTestFinished(() => app.stop())
      await app.start()
      return { app, lines, get: (path, init) => app.fetch(new Request(ORIGIN + path, init)) }
    },
  }
}
