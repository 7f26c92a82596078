/** What work leaves in the old generation of V8, where it stays until the next full collection of garbage. */

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options?: { type: 'minor' }) => void

/** Until the code is compiled, and in each of the runs that count. */
const WARM_UP_ROUNDS = 300
const ROUNDS = 100
const RUNS = 3
/** Rounds after which the young generation is collected: what survives two collections gets old. */
const COLLECTED_EACH = 4

const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? Number.NaN

/**
 * Bytes for each call of `work`, which is called eight times at a time. It calls no `expect`, which keeps what it is given. The lowest of three
 * runs, each after a full collection: what gets old by chance, on a busy machine, keeps what is made after it until the next one.
 */
export async function promotedBytes(work: () => Promise<unknown>): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  const eight = () => Promise.all(Array.from({ length: 8 }, work))
  async function run(rounds: number): Promise<number> {
    collect()
    const before = oldBytes()
    for (let round = 0; round < rounds; round += 1) {
      await eight()
      if (round % COLLECTED_EACH === 0) collect({ type: 'minor' })
    }
    return (oldBytes() - before) / (8 * rounds)
  }
  await run(WARM_UP_ROUNDS)
  let lowest = Number.POSITIVE_INFINITY
  for (let n = 0; n < RUNS; n += 1) lowest = Math.min(lowest, await run(ROUNDS))
  return lowest
}
