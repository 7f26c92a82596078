/** Compares this server's clock with the database's, which all servers share. */

import type { Log } from '../log/log.js'

/** Seconds. Requests on servers whose clocks differ by less see codes and tokens expire a little early or late. */
const MAX_DIFFERENCE_SECONDS = 30

const WRONG_CLOCK =
  "the clock of this server differs from the database's: set it right, for example by NTP. Until then this server is " +
  'not ready, and does no background work'

export interface Clock {
  /** False until the first comparison. */
  isRight(): boolean
  /**
   * @param ask Resolves with the database's time: epoch seconds, with decimals.
   * @returns What `ask` resolves with. @throws what it throws; the last result stays.
   */
  compare<T extends { now: number }>(ask: () => Promise<T>): Promise<T>
  /** Seconds that this server is ahead of the database at the last comparison, negative when it is behind; null before it. */
  ahead(): number | null
  /** For /readyz: rejects while the clock is wrong. */
  check(): Promise<void>
}

export function clockCheck({ log, now }: { log: Log; now: () => number }): Clock {
  let ahead: number | null = null
  const isWrong = () => ahead !== null && Math.abs(ahead) > MAX_DIFFERENCE_SECONDS

  function report(was_wrong: boolean): void {
    if (isWrong() === was_wrong) return
    if (was_wrong) log.info("the clock of this server agrees with the database's again")
    else log.error(WRONG_CLOCK, { seconds_ahead: Math.round(ahead ?? 0) })
  }

  return {
    ahead: () => ahead,
    isRight: () => ahead !== null && !isWrong(),
    async compare(ask) {
      const was_wrong = isWrong()
      const before = now()
      const answer = await ask()
      ahead = difference({ before, after: now(), database: answer.now })
      report(was_wrong)
      return answer
    },
    async check() {
      if (isWrong()) throw new Error("the clock differs from the database's")
    },
  }
}

/** The database has told its time at some moment between the other two. */
function difference({ before, after, database }: Record<'before' | 'after' | 'database', number>): number {
  if (database < before) return before - database
  return database > after + 1 ? after + 1 - database : 0
}
