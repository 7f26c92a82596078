/** What is read from an upstream and kept for a while. */

/** Seconds for which a failure is kept: each sign-in that a stranger begins would be a request to an upstream that is down. */
const FAILURE_SECONDS = 5

interface Keeping {
  /** Epoch seconds. */
  now: () => number
  /** How long a result is used. */
  seconds: number
}

/** Callers at the same time share one request. */
export function kept<Result>(read: () => Promise<Result>, { now, seconds }: Keeping): () => Promise<Result> {
  let last: { result: Promise<Result>; until: number } | null = null
  return () => {
    if (last !== null && now() < last.until) return last.result
    const mine = { result: read(), until: now() + seconds }
    last = mine
    mine.result.catch(() => {
      mine.until = now() + FAILURE_SECONDS
    })
    return mine.result
  }
}
