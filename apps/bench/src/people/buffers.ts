/** How many blocks each statement reads: a figure that does not depend on how busy the machine is. */

import type { Executor, Param } from '@ostiary/storage-postgres'

/** A statement and its parameters. */
interface Sent {
  text: string
  params: readonly Param[]
}

/** An executor that explains each statement before it sends it, while `found` is an array. */
export interface ExplainingExecutor extends Executor {
  found: Blocks[] | null
}

export function explaining(executor: Executor): ExplainingExecutor {
  const self: ExplainingExecutor = {
    ...executor,
    found: null,
    async query(text, params = []) {
      // As the statement finds the rows: a compare-and-set that is sent again changes nothing.
      if (self.found !== null) self.found.push(await blocksOf(executor, { text, params }))
      return executor.query(text, params)
    },
  }
  return self
}

interface Plan {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Node Type': string
  'Relation Name'?: string
  Plans?: Plan[]
}

export interface Blocks {
  /** The verb and the tables. */
  statement: string
  blocks: number
  /** Whether a table of many users is read from its first row to its last. */
  scans: boolean
}

/** Runs the statement, explained and rolled back. */
async function blocksOf(db: Executor, { text, params }: Sent): Promise<Blocks> {
  const [plan] = await explained(db, { text, params })
  if (plan === undefined) throw new Error(`No plan: ${text}`)
  const tables = [...new Set(text.match(/(?<=(?:from|into|update) )oidc_\w+/g))]
  const [verb = ''] = text.trim().split(/\s/, 1)
  return {
    statement: `${verb} ${tables.join(', ')}`,
    blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    scans: scans(plan),
  }
}

/** Tables with a row, or several, for each user. The others have few rows in this measurement. */
const LARGE = ['oidc_users', 'oidc_usernames', 'oidc_factors']

const scans = (plan: Plan): boolean =>
  (plan['Node Type'] === 'Seq Scan' && LARGE.includes(plan['Relation Name'] ?? '')) ||
  (plan.Plans ?? []).some(scans)

async function explained(db: Executor, { text, params }: Sent): Promise<Plan[]> {
  const plans: Plan[] = []
  await db
    .transaction(async (tx) => {
      const rows = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (analyze, buffers, format json) ${text}`,
        params,
      )
      plans.push(...rows.flatMap((row) => row['QUERY PLAN'].map(({ Plan: plan }) => plan)))
      throw new RolledBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
    })
  return plans
}

class RolledBack extends Error {}
