/**
 * bench:names: whether a stranger can tell by the time of the answer that an account has a name. `--requests N` (1000) of each group: a
 * wrong password for names of accounts, and for names that no account has, in turns. Prints the times of both, and how often a request
 * for an account took longer than one for none: 0.5 means that the times tell nothing.
 */

import { parseArgs } from 'node:util'
import { setDisabled, upsertUser } from '@ostiary/identity'
import { migrations, postgresExecutor } from '@ostiary/storage-postgres'
import { browser, hiddenField } from '@ostiary/test-kit/browser'
import { machine } from '../machine.js'
import { number } from '../options.js'
import { fillUsers } from '../people/fill.js'
import { ISSUER, LOGIN, type Pages, pagesOn } from '../people/pages.js'
import { addPerson } from '../people/person.js'
import { runCommand, withServices } from '../run/command.js'
import { newDatabase } from '../servers/databases.js'
import { percentile } from '../statistics.js'
import { PASSWORD } from '../target.js'
import { addressOf } from '../workloads/person.js'

/** Each is copied, so that each name is asked for once. */
const ACCOUNTS: Readonly<Record<string, (pages: Pages, sub: string) => Promise<unknown>>> = {
  'with a password': (pages, sub) => upsertUser(pages.users, { username: sub, sub, password: PASSWORD }),
  'with two factors': addPerson,
  'without a password': (pages, sub) => upsertUser(pages.users, { username: sub, sub }),
  disabled: async (pages, sub) => {
    await upsertUser(pages.users, { username: sub, sub, password: PASSWORD })
    await setDisabled(pages.users, { sub, disabled: true })
  },
}

interface Times {
  known: number[]
  unknown: number[]
}

async function names(): Promise<number> {
  const { values } = parseArgs({ options: { requests: { type: 'string' } } })
  const requests = number('requests', values.requests, { otherwise: 1000, from: 10, to: 100_000 })
  const code = await withServices(true)
  if (code !== null) return code

  const { cpu, cores, load } = machine()
  process.stdout.write(`${cores} × ${cpu}, load average before: ${load}\n\n`)
  process.stdout.write('| account | median ms, account | none | mean | none | p95 | none | takes longer |\n')
  process.stdout.write(`| --- |${' ---: |'.repeat(7)}\n`)
  for (const [name, addAccount] of Object.entries(ACCOUNTS)) {
    const executor = postgresExecutor(await newDatabase(), { statementTimeout: 0, connectTimeout: 30 })
    try {
      await migrations(executor).setUp()
      const pages = pagesOn(executor)
      await addAccount(pages, 'someone')
      await fillUsers(executor, { sub: 'someone', users: requests })
      process.stdout.write(`${row(name, await timesOf(pages, requests))}\n`)
    } finally {
      await executor.close()
    }
  }
  return 0
}

/** Each request is from an address of its own, and names another account. */
async function timesOf(pages: Pages, requests: number): Promise<Times> {
  const times: Times = { known: [], unknown: [] }
  const b = browser(pages.handle)
  const csrf_token = hiddenField(await (await b.get(LOGIN)).text(), 'csrf_token')
  const headers = { cookie: b.jar.header(), 'content-type': 'application/x-www-form-urlencoded' }
  const ask = async (index: number, group: keyof Times) => {
    const username = `${group === 'known' ? 'user' : 'none'}${index}@example.com`
    const fields = { return_to: '/account', csrf_token, username, password: 'not this one' }
    const body = new URLSearchParams(fields).toString()
    const request = new Request(`${ISSUER}/login`, { method: 'POST', headers, body })
    const address = addressOf(index * 2 + (group === 'known' ? 0 : 1))
    const started = performance.now()
    const response = await pages.handle(request, address)
    await response.text()
    times[group].push(performance.now() - started)
    if (response.status !== 422) throw new Error(`The sign-in answers ${response.status}`)
  }
  for (let index = 1; index <= requests; index++) {
    const order = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const group of order) await ask(index, group)
  }
  return times
}

function row(name: string, { known, unknown }: Times): string {
  const figures = [median, mean, p95].flatMap((of) => [of(known).toFixed(3), of(unknown).toFixed(3)])
  // The standard error of this share, where both groups are alike.
  const error = Math.sqrt((known.length + unknown.length + 1) / (12 * known.length * unknown.length))
  return `| ${name} | ${figures.join(' | ')} | ${shareLonger({ known, unknown }).toFixed(3)} ± ${error.toFixed(3)} |`
}

/** How often a request of the first group takes longer than one of the second (the area under the ROC curve). */
function shareLonger({ known, unknown }: Times): number {
  const sorted = Float64Array.from(unknown).sort()
  let longer = 0
  for (const time of known) longer += sorted.findLastIndex((other) => other < time) + 1
  return longer / (known.length * unknown.length)
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)
const median = (values: readonly number[]): number => percentile(sorted(values), 0.5)
const p95 = (values: readonly number[]): number => percentile(sorted(values), 0.95)
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

runCommand(names)
