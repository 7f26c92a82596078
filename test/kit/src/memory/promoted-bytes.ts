/** What work leaves in the old generation of V8, where it stays until the next full collection of garbage. */

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options?: { type: 'minor' }) => void

const ROUNDS = 300
/** Rounds after which the young generation is collected: what survives two collections gets old. */
const COLLECTED_EACH = 4

const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? Number.NaN

/** Bytes for each call of `work`, which is called eight times at a time. It calls no `expect`, which keeps what it is given. */
export async function promotedBytes(work: () => Promise<unknown>): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  const eight = () => Promise.all(Array.from({ length: 8 }, work))
  const run = async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await eight()
      if (round % COLLECTED_EACH === 0) collect({ type: 'minor' })
    }
  }
  // The first run compiles the code.
  await run()
  collect()
  const before = oldBytes()
  await run()
  return (oldBytes() - before) / (8 * ROUNDS)
}
