/**
 * bench:capacity: what the records of a large deployment take, and what each operation costs the database with them.
 * `--grants N` (20000000), `--times N` (5000), `--docs` writes docs/capacity.md, `--filled URL` measures a database that an
 * earlier run has filled with as many grants. DATABASE_URL names a PostgreSQL with room
 * for 2 KB a grant; without it, one of the tests is started.
 */

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Executor, migrations, postgresExecutor } from '@ostiary/storage-postgres'
import { type Cost, counted, measureAll, type Place } from '../capacity/measure.js'
import { operations } from '../capacity/operations.js'
import { fillRecords, type Size, timeOfFill } from '../capacity/records.js'
import { sizing } from '../capacity/sizing.js'
import { costTable, placeTable, sizingTable } from '../capacity/tables.js'
import { machine } from '../machine.js'
import { number } from '../options.js'
import { writeBetween } from '../report/docs.js'
import { runCommand, withServices } from '../run/command.js'
import { ROOT } from '../run/processes.js'
import { newDatabase } from '../servers/databases.js'

const FEW_GRANTS = 20_000
const CONNECTIONS = 8
/** A month. */
const USERS = [1_000_000, 10_000_000, 100_000_000]

async function capacity(): Promise<number> {
  const { values } = parseArgs({
    options: {
      grants: { type: 'string' },
      times: { type: 'string' },
      docs: { type: 'boolean' },
      filled: { type: 'string' },
    },
  })
  const many = number('grants', values.grants, { otherwise: 20_000_000, from: FEW_GRANTS, to: 100_000_000 })
  const times = number('times', values.times, { otherwise: 5000, from: 10, to: FEW_GRANTS / 10 })
  const code = await withServices(true)
  if (code !== null) return code

  const few = await measured(FEW_GRANTS, { times })
  const { costs, places } = await measured(many, { times, filled: values.filled })
  const text = [
    await described(many),
    placeTable(places, many),
    costTable({ few: few.costs, many: costs }, [FEW_GRANTS, many]),
    sizingTable(USERS.map((users) => sizing(users, { costs, places }))),
  ].join('\n\n')
  process.stdout.write(`${text}\n`)
  if (values.docs) await writeBetween(join(ROOT, 'docs/capacity.md'), 'capacity', text)
  return 0
}

interface Measured {
  costs: Cost[]
  places: Place[]
}

/** @param filled A database with the records; a new one is filled when it is absent. */
async function measured(
  grants: number,
  { times, filled }: { times: number; filled?: string | undefined },
): Promise<Measured> {
  const url = filled ?? (await newDatabase())
  const options = { statementTimeout: 0, connectTimeout: 30 }
  const observer = postgresExecutor(`${url}?application_name=observer`, { ...options, connections: 1 })
  const executor = postgresExecutor(url, { ...options, connections: CONNECTIONS })
  try {
    const size = filled === undefined ? await fill(observer, grants) : await sizeOf(observer, grants)
    await observer.query('checkpoint')
    const places = await placesOf(observer)
    const sent = counted(executor)
    // Opens the connections, whose CPU is counted.
    await Promise.all(Array.from({ length: CONNECTIONS }, () => executor.query('select pg_sleep(0.1)')))
    const costs = await measureAll(operations(sent.executor, size, times), {
      observer,
      statements: sent.statements,
      parallel: CONNECTIONS,
    })
    return { costs, places }
  } finally {
    await Promise.all([executor.close(), observer.close()])
  }
}

async function fill(db: Executor, grants: number): Promise<Size> {
  const size: Size = { grants, now: Math.floor(Date.now() / 1000) }
  await migrations(db).setUp()
  await db.query(`set maintenance_work_mem = '1GB'`)
  await fillRecords(db, size)
  return size
}

/** The time at which it was filled: earlier runs have deleted the oldest grants, and no consent. */
async function sizeOf(db: Executor, grants: number): Promise<Size> {
  const [row] = await db.query<{ first: number }>('select min(created_at) as first from oidc_consents')
  return { grants, now: timeOfFill(row?.first ?? 0) }
}

const placesOf = (db: Executor): Promise<Place[]> =>
  db.query<Place>(
    `select relname as table, reltuples::int as rows, pg_table_size(oid) as table_bytes, pg_indexes_size(oid) as index_bytes
     from pg_class where relkind = 'r' and reltuples > 100 and relname like 'oidc%'
     order by pg_total_relation_size(oid) desc`,
  )

async function described(grants: number): Promise<string> {
  const { cpu, cores, memory_gib, kernel, load } = machine()
  const date = new Date().toISOString().slice(0, 10)
  return (
    `Measured ${date} on ${cores} × ${cpu}, ${memory_gib} GiB, ${kernel}, load average before: ${load}, with ` +
    `${grants.toLocaleString('en')} grants, ${CONNECTIONS} connections, database and client on the same cores.`
  )
}

runCommand(capacity)
