/**
 * One round of background work. A storage with `background` says in which realms something is due, so that the cost does not
 * grow with the number of realms; with any other storage, every job runs in every known realm.
 */

import { finishDeletions } from '../clients/delete-client.js'
import type { RealmContext } from '../realm/context.js'
import { longestTokenLifetime, type Realm } from '../realm/realm.js'
import type { BackgroundStorage, DueRealms, Storage } from '../storage/storage.js'
import { hasUnlistedKeys } from '../tokens/signing-keys.js'
import { inParallel } from '../util/in-parallel.js'
import type { DeliveryPool } from './delivery-pool.js'
import { expireSessions } from './expired-sessions.js'
import { purge } from './purge.js'
import { dropRetiredKeys } from './retired-keys.js'

/** Realms whose jobs run at the same time: a slow realm delays few others, and requests keep connections to the storage. */
const MAX_PARALLEL_REALMS = 4

/** What a tick has done, in numbers. */
export interface TickReport {
  sessions_ended: number
  keys_retired: number
  records_purged: number
}

export interface TickOptions {
  storage: Storage
  deliveries: DeliveryPool
  /** Epoch seconds. */
  now(): number
  known(): Realm[]
  find(id: string): Promise<Realm | null>
  contextOf(realm: Realm): Promise<RealmContext>
  /** Reports a failure outside of the jobs. */
  failed(realm: string, cause: unknown): void
}

type Job = [name: keyof TickReport, run: (c: RealmContext) => Promise<number>]

const SESSIONS: Job = ['sessions_ended', expireSessions]
const KEYS: Job = ['keys_retired', dropRetiredKeys]
const DELETIONS: Job = ['records_purged', finishDeletions]
const PURGE: Job = ['records_purged', purge]

/** Runs every job in these realms. */
export async function tickRealms(t: TickOptions, realms: readonly Realm[]): Promise<TickReport> {
  const report = emptyReport()
  const byId = new Map(realms.map((realm) => [realm.id, realm]))
  const find = async (id: string) => byId.get(id) ?? null
  await inRealms({ ...t, find }, [...byId.keys()], async (c) => {
    await runJobs(c, { jobs: [SESSIONS, KEYS, PURGE], report })
    t.deliveries.start(c)
  })
  return report
}

/** Runs the jobs that are due in all realms. */
export async function tickAll(t: TickOptions): Promise<TickReport> {
  const { background } = t.storage
  if (background === undefined) return tickRealms(t, t.known())
  const report = emptyReport()
  try {
    await runDue(t, { background, report })
  } catch (cause) {
    t.failed('', cause)
  }
  return report
}

async function runDue(
  t: TickOptions,
  { background, report }: { background: BackgroundStorage; report: TickReport },
): Promise<void> {
  const known = t.known()
  const lifetimes = known.map(({ settings }) => longestTokenLifetime(settings))
  const due = await background.due({
    now: t.now(),
    realms: known.map(({ id }) => id),
    keys_before: t.now() - Math.min(...lifetimes, Number.MAX_SAFE_INTEGER),
  })
  // Deliveries first: they only start here, and must not wait for the other jobs.
  await inRealms(t, due.deliveries, async (c) => t.deliveries.start(c))
  const unlisted = known.filter(hasUnlistedKeys).map(({ id }) => id)
  const jobs = dueJobs({ ...due, keys: [...new Set([...due.keys, ...unlisted])] })
  await inRealms(t, [...jobs.keys()], async (c) => {
    await runJobs(c, { jobs: jobs.get(c.realm.id) ?? [], report })
    t.deliveries.start(c)
  })
  if (due.expired) report.records_purged += await background.purge(t.now())
}

const emptyReport = (): TickReport => ({ sessions_ended: 0, keys_retired: 0, records_purged: 0 })

/** The jobs by realm. */
function dueJobs({ sessions, keys, deletions }: DueRealms): Map<string, Job[]> {
  const jobs = new Map<string, Job[]>()
  const add = (realms: string[], job: Job) => {
    for (const realm of realms) jobs.set(realm, [...(jobs.get(realm) ?? []), job])
  }
  add(sessions, SESSIONS)
  add(keys, KEYS)
  add(deletions, DELETIONS)
  return jobs
}

/** Ids that name no realm are skipped: the storage keeps the records of a realm that was removed. */
async function inRealms(
  t: TickOptions,
  ids: readonly string[],
  run: (c: RealmContext) => Promise<void>,
): Promise<void> {
  await inParallel(ids, MAX_PARALLEL_REALMS, async (id) => {
    try {
      const realm = await t.find(id)
      if (realm !== null) await run(await t.contextOf(realm))
    } catch (cause) {
      t.failed(id, cause)
    }
  })
}

/** Adds what was done to the report. A job that fails, for example because storage is unavailable, does not stop the others. */
async function runJobs(
  c: RealmContext,
  { jobs, report }: { jobs: readonly Job[]; report: TickReport },
): Promise<void> {
  for (const [name, run] of jobs) {
    const done = await run(c).catch((cause: unknown) => {
      c.emit({ type: 'server.error', route: null, cause })
      return 0
    })
    report[name] += done
  }
}
