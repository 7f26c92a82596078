/** Where the metrics of an app come from. */

import type { QueuedPasswordHasher } from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import type { MetricsSources } from '../metrics/host-metrics.js'
import type { HostStorage } from '../storage/host-storage.js'
import type { ReadinessCheck, ServerState } from './health.js'

export interface MeasuredApp {
  storage: HostStorage
  readiness: ReadinessCheck
  passwords: QueuedPasswordHasher
  life: AppLife
  leads(): boolean
  clock_ahead(): number | null
  /** Epoch milliseconds. */
  now(): number
  /** False in a worker whose neighbor measures the database for all of them. */
  measures_database: boolean
}

/** What changes while the app lives. */
export interface AppLife {
  state: ServerState
  /** The newest configuration. */
  config: HostConfig
}

export function metricsSources(app: MeasuredApp): MetricsSources {
  const { storage, readiness, passwords, life, leads, clock_ahead, now, measures_database } = app
  const { figures } = storage
  return {
    async readiness() {
      const { ready, parts } = await readiness.now(life.state)
      const works = Object.entries(parts).map(([name, found]) => [name, found === 'ok'] as const)
      return { ready, parts: Object.fromEntries(works) }
    },
    figures: measures_database && figures ? figures : null,
    newest_keys: measures_database ? (figures?.newest_keys ?? (() => newestKeysOf(app))) : null,
    realms: () => realmIds(life.config),
    pool: figures?.pool,
    passwords: passwords.load,
    leads,
    clock_ahead,
    schema: figures?.schema ?? null,
    now,
  }
}

/** For records in memory: a database answers for all realms with one statement. */
async function newestKeysOf({ storage, life }: MeasuredApp) {
  const newest = realmIds(life.config).map(async (realm) => {
    const keys = await storage.storage(realm).keys.list()
    const newest_by_alg = new Map<string, number>()
    for (const { alg, created_at } of keys)
      newest_by_alg.set(alg, Math.max(created_at, newest_by_alg.get(alg) ?? 0))
    return keys.length === 0 ? [] : [{ realm, created_at: Math.min(...newest_by_alg.values()) }]
  })
  return (await Promise.all(newest)).flat()
}
