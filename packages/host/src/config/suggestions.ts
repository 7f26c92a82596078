/** "Did you mean": the key that somebody probably wanted. */

/** The candidate that is near enough to be meant, or null. */
export function closest(word: string, candidates: readonly string[]): string | null {
  const limit = Math.max(2, Math.floor(word.length / 4))
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  return best && best.distance <= limit && best.distance < word.length ? best.candidate : null
}

const NO_KEY = /^(?:(.*)\.)?([^.]+): there is no such key$/

/** Adds the right key to each `path: there is no such key`, where one is close. */
export function withSuggestions(
  faults: readonly string[],
  keysAt: (path: string) => readonly string[],
): string[] {
  return faults.map((fault) => {
    const [, path = '', key = ''] = NO_KEY.exec(fault) ?? []
    const meant = key === '' ? null : closest(key, keysAt(path))
    return meant === null ? fault : `${fault}; did you mean ${meant}?`
  })
}

/** Levenshtein's, with the swap of two neighbours counted as one (Damerau). */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i])
  for (let j = 0; j <= b.length; j++) cell(rows, 0)[j] = j
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const at = (row: number, column: number) => cell(rows, row)[column] ?? 0
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      cell(rows, i)[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + same,
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  return cell(rows, a.length)[b.length] ?? 0
}

const cell = (rows: number[][], i: number): number[] => rows[i] ?? []
