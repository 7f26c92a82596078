/**
 * bench:users: what a sign-in and the account page cost with many users, each with a passkey, an app and recovery codes, as a multiple
 * of what they cost with few. `--users N` (1000000), `--times N` (200) visits of each kind, `--docs` writes docs/capacity.md.
 */

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrations, postgresExecutor } from '@ostiary/storage-postgres'
import { machine } from '../machine.js'
import { number } from '../options.js'
import { type Blocks, type ExplainingExecutor, explaining } from '../people/buffers.js'
import { fillUsers } from '../people/fill.js'
import { type Pages, pagesOn } from '../people/pages.js'
import { addPerson, openAccount, type Person, VISITS } from '../people/person.js'
import { writeBetween } from '../report/docs.js'
import { runCommand, withServices } from '../run/command.js'
import { ROOT } from '../run/processes.js'
import { newDatabase } from '../servers/databases.js'
import { percentile } from '../statistics.js'

/** A code of an app is good once. */
const STEP_SECONDS = 30
const ACCOUNT_PAGE = 'Account page'

async function users(): Promise<number> {
  const { values } = parseArgs({
    options: { users: { type: 'string' }, times: { type: 'string' }, docs: { type: 'boolean' } },
  })
  const many = number('users', values.users, { otherwise: 1_000_000, from: 1, to: 10_000_000 })
  const times = number('times', values.times, { otherwise: 200, from: 5, to: 10_000 })
  const code = await withServices(true)
  if (code !== null) return code

  const sides = [await prepare(times, 0), await prepare(times, many)] as const
  try {
    const { cpu, cores, load } = machine()
    const head =
      `Measured ${new Date().toISOString().slice(0, 10)} on ${cores} × ${cpu}, load average before: ${load}, PostgreSQL and pages on ` +
      `the same cores: ${times} visits of each kind, each of another user, one at a time and in turns on both databases.`
    const text = [head, await timeTable(sides, times), await blockTable(sides)].join('\n\n')
    process.stdout.write(`${text}\n`)
    if (values.docs) await writeBetween(join(ROOT, 'docs/capacity.md'), 'users', text)
    return 0
  } finally {
    for (const { executor } of sides) await executor.close()
  }
}

interface Side {
  executor: ExplainingExecutor
  pages: Pages
  people: Person[]
  label: string
}

/** A database with the people of the measurement, and so many other users. */
async function prepare(people: number, others: number): Promise<Side> {
  const database = postgresExecutor(await newDatabase(), { statementTimeout: 0, connectTimeout: 30 })
  await migrations(database).setUp()
  const executor = explaining(database)
  const pages = pagesOn(executor)
  const added: Person[] = []
  for (let index = 0; index < people; index++) added.push(await addPerson(pages, `person-${index}`))
  const counts = await fillUsers(executor, { sub: added[0]?.sub ?? '', users: others })
  process.stderr.write(`${JSON.stringify(counts)}\n`)
  return {
    executor,
    pages,
    people: added,
    label: `${(counts.oidc_users ?? 0).toLocaleString('en')} users`,
  }
}

/** Visits in turns: which database comes first alternates. */
async function timeTable(sides: readonly [Side, Side], times: number): Promise<string> {
  const took = new Map<string, [number[], number[]]>()
  const measure = async <T>(name: string, side: number, visit: () => Promise<T>): Promise<T> => {
    const started = performance.now()
    const result = await visit()
    const lists = took.get(name) ?? [[], []]
    took.set(name, lists)
    lists[side]?.push(performance.now() - started)
    return result
  }
  for (let index = 0; index < times; index++) {
    const order = index % 2 === 0 ? [0, 1] : [1, 0]
    for (const [name, visit] of Object.entries(VISITS))
      for (const at of order) {
        const { pages, people } = sides[at] as Side
        pages.clock.now += STEP_SECONDS
        const b = await measure(name, at, () => visit(pages, people[index] as Person))
        await measure(ACCOUNT_PAGE, at, () => openAccount(b))
      }
  }
  const rows = [...took].map(([name, lists]) => {
    const [few, many] = lists.map((list) => list.sort((a, b) => a - b)) as [number[], number[]]
    const at = (list: number[], share: number) => percentile(list, share).toFixed(2)
    const ratio = (percentile(many, 0.5) / percentile(few, 0.5)).toFixed(2)
    return `| ${name} | ${at(few, 0.5)} | ${at(many, 0.5)} | ${ratio} | ${at(few, 0.95)} | ${at(many, 0.95)} |`
  })
  const [few, many] = sides.map(({ label }) => label)
  return [
    `| visit | p50 ms, ${few} | p50 ms, ${many} | ratio | p95 ms, ${few} | p95 ms, ${many} |`,
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n')
}

/** The blocks of each statement of a visit, on both databases. */
async function blockTable(sides: readonly [Side, Side]): Promise<string> {
  const rows: string[] = []
  for (const name of [...Object.keys(VISITS), ACCOUNT_PAGE]) {
    const [few, many] = [await blocksOfVisit(sides[0], name), await blocksOfVisit(sides[1], name)]
    for (const [statement, { times, blocks }] of together(few)) {
      const other = together(many).get(statement)
      const whole = other?.scans ? ', the whole table' : ''
      rows.push(`| ${name} | ${statement} | ${times} | ${blocks} | ${other?.blocks}${whole} |`)
    }
  }
  const [few, many] = sides.map(({ label }) => label)
  const head = `| visit | statement | times | blocks, ${few} | blocks, ${many} |`
  return [head, '| --- | --- | ---: | ---: | ---: |', ...rows].join('\n')
}

/** By the name of the statement: some are sent at the same time, in any order. */
function together(found: readonly Blocks[]): Map<string, Blocks & { times: number }> {
  const sums = new Map<string, Blocks & { times: number }>()
  for (const one of found) {
    const sum = sums.get(one.statement) ?? { ...one, times: 0, blocks: 0 }
    sums.set(one.statement, {
      ...sum,
      times: sum.times + 1,
      blocks: sum.blocks + one.blocks,
      scans: sum.scans || one.scans,
    })
  }
  return sums
}

async function blocksOfVisit({ pages, people, executor }: Side, name: string): Promise<Blocks[]> {
  const [person] = people
  const visit = VISITS[name]
  if (person === undefined) return []
  pages.clock.now += STEP_SECONDS
  const b = visit ? null : await VISITS['Sign-in with a passkey']?.(pages, person)
  executor.found = []
  if (b) await openAccount(b)
  else await visit?.(pages, person)
  const { found } = executor
  executor.found = null
  return found
}

runCommand(users)
