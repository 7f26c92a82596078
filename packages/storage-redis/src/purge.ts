/** How many records one script forgets: nobody waits longer than about a millisecond for it. */
const BATCH = 100
/** One purge forgets at most so many batches of a kind. */
const ROUNDS = 10

/** @param forget Forgets at most `limit` records; returns how many went. */
export async function inBatches(forget: (limit: number) => Promise<number>): Promise<number> {
  let all = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const went = await forget(BATCH)
    all += went
    if (went < BATCH) break
  }
  return all
}
