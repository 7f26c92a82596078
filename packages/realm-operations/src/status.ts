/** What a server knows of its state, and of what waits in a realm, without work that grows. */

import * as z from 'zod'
import { EPOCH } from './lists.js'
import { operation, type QueryRunner, type RealmCall } from './operation.js'

/** Where the state of a server comes from. */
export interface StatusSources {
  /** Of the program. */
  version: string
  /** Whether `/readyz` answers 200, and the state of each part. */
  readiness(): Promise<{ ready: boolean; parts: Readonly<Record<string, string>> }>
  /** The database of what belongs to no user; undefined where records are in memory. */
  records: QueryRunner | undefined
  /** The number of the newest migration; null where records are in memory. */
  schema: number | null
}

/** What waits; a larger backlog is not counted further. */
interface Waiting {
  waiting: number
  /** Epoch seconds. */
  oldest_at: number | null
}

const MAX_COUNTED = 10_000

const waitingIn = (table: string) => `
  select count(*)::int as waiting, min(created_at) as oldest_at
  from (select created_at from ${table} where realm = $1 limit ${MAX_COUNTED}) as counted`
const MAILS = waitingIn('oidc_mails')
const DELIVERIES = waitingIn('oidc_logout_deliveries')

/** Null where records are in memory. */
async function waiting(
  records: QueryRunner | undefined,
  realm: string,
  text: string,
): Promise<Waiting | null> {
  const [row] = (await records?.query<Waiting>(text, [realm])) ?? []
  return row ?? null
}

/** The newest key of each algorithm. */
async function newestKeys({ management }: RealmCall) {
  const keys = await management.keys.list()
  const newest = new Map(
    keys
      .toSorted((one, other) => one.created_at - other.created_at)
      .map(({ kid, alg, created_at, signs_from }) => [alg, { kid, alg, created_at, signs_from }]),
  )
  return [...newest.values()]
}

const shownWaiting = z
  .object({
    waiting: z.int().describe(`${MAX_COUNTED} stands for more`),
    oldest_at: EPOCH.nullable().describe('When the oldest was stored'),
  })
  .nullable()
  .describe('Null where records are in memory')

const shownStatus = z.object({
  version: z.string(),
  time: EPOCH,
  ready: z.boolean().describe('Whether /readyz answers 200'),
  parts: z.record(z.string(), z.string()).describe('`ok`, `down` or `restored`, by part'),
  storage: z.enum(['database', 'memory']),
  schema: z.int().nullable().describe('The number of the newest migration'),
  keys: z
    .array(z.object({ kid: z.string(), alg: z.string(), created_at: EPOCH, signs_from: EPOCH }))
    .describe('The newest signing key of each algorithm'),
  mails: shownWaiting,
  deliveries: shownWaiting,
})

export const statusOperations = ({ version, readiness, records, schema }: StatusSources) => [
  operation({
    id: 'status',
    method: 'GET',
    path: '/status',
    summary: 'The state of the server that answers, and what waits in the realm',
    area: 'realms',
    access: 'read',
    answers: { 200: shownStatus },
    async run(call) {
      const { realm, now: time } = call
      const [state, keys, mails, deliveries] = await Promise.all([
        readiness(),
        newestKeys(call),
        waiting(records, realm, MAILS),
        waiting(records, realm, DELIVERIES),
      ])
      const storage = records === undefined ? 'memory' : 'database'
      return { body: { version, time, ...state, storage, schema, keys, mails, deliveries } }
    },
  }),
]
