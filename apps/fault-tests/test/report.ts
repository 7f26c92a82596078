/** One line in the log: what a test did and what it counted. Seconds are printed and not judged: a busy machine takes longer. */
export function report(what: string, counts: Record<string, unknown>): void {
  const counted = Object.entries(counts).map(
    ([name, count]) => `${name.replaceAll('_', ' ')} ${JSON.stringify(count)}`,
  )
  console.log(`${what}: ${counted.join(', ')}`)
}
