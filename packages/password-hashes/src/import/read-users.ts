/** Reads users line by line. Memory holds one batch, and a few bytes for each line. */

import { firstLines } from './first-lines.js'
import type { UserLine } from './target.js'

/** The faults that are listed; the others are counted. */
const MAX_LISTED_FAULTS = 50

/** Lines cannot be imported. */
export class UserLinesError extends Error {
  /** The first ones, each with a clause. */
  readonly faults: readonly { line: number; fault: string }[]
  /** All lines with a fault. */
  readonly count: number

  constructor(faults: readonly { line: number; fault: string }[], count = faults.length) {
    super(faults.map(({ line, fault }) => `line ${line}: ${fault}`).join('\n'))
    this.name = 'UserLinesError'
    this.faults = faults
    this.count = count
  }
}

/** A line, with its user or a clause that says what is wrong with it. */
export interface ReadUser {
  line: number
  user: UserLine | string
}

/**
 * Checks each line, and that no user is there twice.
 * @returns How many users there are.
 * @throws UserLinesError
 */
export async function checkUsers(lines: AsyncIterable<ReadUser>): Promise<number> {
  const faults: { line: number; fault: string }[] = []
  const [names, subs] = [firstLines(), firstLines()]
  let count = 0
  let faulty = 0
  for await (const { line, user } of lines) {
    count += 1
    const fault = typeof user === 'string' ? user : repeated(user, line, { names, subs })
    if (fault === null) continue
    faulty += 1
    if (faults.length < MAX_LISTED_FAULTS) faults.push({ line, fault })
  }
  if (faulty > 0) throw new UserLinesError(faults, faulty)
  if (count === 0) throw new UserLinesError([{ line: 1, fault: 'the file is empty' }])
  return count
}

function repeated(
  { username_key, sub }: UserLine,
  line: number,
  { names, subs }: Record<'names' | 'subs', ReturnType<typeof firstLines>>,
): string | null {
  const named = names(username_key, line)
  if (named !== null) return `username: it is that of line ${named}`
  const known = sub === null ? null : subs(sub, line)
  return known === null ? null : `sub: it is that of line ${known}`
}

/**
 * The users of checked lines, some at a time.
 * @throws UserLinesError when a line has changed since it was checked.
 */
export async function* usersOf(
  lines: AsyncIterable<ReadUser>,
  size: number,
): AsyncGenerator<{ line: number; user: UserLine }[]> {
  let batch: { line: number; user: UserLine }[] = []
  for await (const { line, user } of lines) {
    if (typeof user === 'string')
      throw new UserLinesError([{ line, fault: `it was changed during the import: ${user}` }])
    batch.push({ line, user })
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
