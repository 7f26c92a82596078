/**
 * Calls `run` for each item, at most `limit` at a time, and returns the results in the order of the items. After a failure no
 * more are started; it throws when those under way have ended.
 */
export async function inParallel<T, R>(
  items: Iterable<T>,
  limit: number,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const failures: unknown[] = []
  let started = 0
  const left = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = left.next(); !next.done && failures.length === 0; next = left.next()) {
      const index = started
      started += 1
      try {
        results[index] = await run(next.value)
      } catch (cause) {
        failures.push(cause)
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
  if (failures.length > 0) throw failures[0]
  return results
}
