/** The most records that one script deletes: other commands wait for the script, about a millisecond. */
const BATCH_SIZE = 100
/** The most batches of one kind of record in one purge. */
const MAX_BATCHES = 10

/**
 * Deletes expired records in batches; returns how many.
 * @param deleteExpired Deletes at most `limit` records; returns how many.
 */
export async function inBatches(deleteExpired: (limit: number) => Promise<number>): Promise<number> {
  let deleted = 0
  for (let batches = 0; batches < MAX_BATCHES; batches += 1) {
    const count = await deleteExpired(BATCH_SIZE)
    deleted += count
    if (count < BATCH_SIZE) break
  }
  return deleted
}
