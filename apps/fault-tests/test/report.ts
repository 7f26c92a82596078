/** One line in the log: what a test did and what it counted. */
export function report(what: string, counts: Record<string, unknown>): void {
  const counted = Object.entries(counts).map(
    ([name, count]) => `${name.replaceAll('_', ' ')} ${JSON.stringify(count)}`,
  )
  console.log(`${what}: ${counted.join(', ')}`)
}

/**
 * Seconds are printed, and only judged by this: a busy machine takes longer than a quiet one, and what has not come back
 * after so long does not come back by itself.
 */
export const MAX_RECOVERY_SECONDS = 60
