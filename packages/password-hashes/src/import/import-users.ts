/** Imports users into a realm: those of a good file, or none. */

import { checkUsers, type ReadUser, usersOf } from './read-users.js'
import { createUser, type Outcome, outcomeOf, storeUser } from './store-user.js'
import { findUser } from './stored-user.js'
import type { ImportTarget, UserLine } from './target.js'

/** A user who is not imported. */
export interface RefusedUser {
  line: number
  username: string
  /** A sentence without a full stop. */
  reason: string
}

/** What an import would do, or has done. */
export interface UserImport {
  created: number
  updated: number
  identical: number
  refused: number
  /** The first ones. */
  first_refused: RefusedUser[]
  /** False when nothing is stored. */
  done: boolean
}

/** Users of whom the database is asked at the same time. */
const BATCH_USERS = 16
const MAX_LISTED_USERS = 50

/**
 * Checks all lines first, then compares all with the stored users, and then stores them. With a bad line, or a user who is refused, nothing
 * is stored. Memory holds some users, and about 100 bytes for each line.
 * @param read Reads the file from its start, which is done three times.
 * @param dry_run Nothing is stored.
 * @throws UserLinesError
 */
export async function importUsers(
  read: () => AsyncIterable<ReadUser>,
  target: ImportTarget,
  { dry_run }: { dry_run: boolean },
): Promise<UserImport> {
  const known = new Uint8Array(await checkUsers(read()))
  const plan = emptyReport()
  await inBatches(read(), async (user, index) => {
    const outcome = outcomeOf(await findUser(user, target), target)
    known[index] = KNOWN[typeof outcome === 'string' ? outcome : 'updated']
    return (line) => note(plan, { line, user }, outcome)
  })
  if (dry_run || plan.refused > 0) return plan
  const report = emptyReport()
  await inBatches(read(), async (user, index) => {
    const outcome = await storeAs(known[index], user, target)
    return (line) => note(report, { line, user }, outcome)
  })
  return { ...report, done: true }
}

/** What the comparison has found, as a byte for each user: a file may have millions. */
const KNOWN = { created: 0, identical: 1, updated: 2 }

async function storeAs(known: number | undefined, user: UserLine, target: ImportTarget): Promise<Outcome> {
  if (known === KNOWN.identical) return 'identical'
  if (known === KNOWN.created && (await createUser(user, target))) return 'created'
  return storeUser(user, target)
}

/** Runs for each user, some at a time; what it returns is called in the order of the file. */
async function inBatches(
  lines: AsyncIterable<ReadUser>,
  run: (user: UserLine, index: number) => Promise<(line: number) => void>,
): Promise<void> {
  let before = 0
  for await (const batch of usersOf(lines, BATCH_USERS)) {
    const first = before
    const done = await Promise.all(
      batch.map(async ({ line, user }, index) => ({ line, report: await run(user, first + index) })),
    )
    for (const { line, report } of done) report(line)
    before += batch.length
  }
}

const emptyReport = (): UserImport => ({
  created: 0,
  updated: 0,
  identical: 0,
  refused: 0,
  first_refused: [],
  done: false,
})

function note(report: UserImport, { line, user }: { line: number; user: UserLine }, outcome: Outcome): void {
  if (typeof outcome === 'string') {
    report[outcome] += 1
    return
  }
  report.refused += 1
  if (report.first_refused.length < MAX_LISTED_USERS)
    report.first_refused.push({ line, username: user.username, reason: outcome.reason })
}
