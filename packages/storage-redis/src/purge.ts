/** Records that one script deletes: other commands wait about a millisecond for it. */
const BATCH_SIZE = 100
/** Batches of one kind of record in one purge. */
const MAX_BATCHES = 10

/** @param forget Deletes at most `limit` records; returns how many it has deleted. */
export async function inBatches(forget: (limit: number) => Promise<number>): Promise<number> {
  let deleted = 0
  for (let batches = 0; batches < MAX_BATCHES; batches += 1) {
    const count = await forget(BATCH_SIZE)
    deleted += count
    if (count < BATCH_SIZE) break
  }
  return deleted
}
