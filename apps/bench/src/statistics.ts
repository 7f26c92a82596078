/** Medians and percentiles. */

/** @param sorted In ascending order. @param share Between 0 and 1. @returns NaN for an empty list. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const index = Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)
  return sorted[Math.max(0, index)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

/** Half the distance between the highest and the lowest, as a share of the median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / 2 / median(values)
}

/** The median of the values that could be measured; null when there is none. */
export function medianOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : median(known)
}

/** Two lists of runs that took turns. */
export interface Difference {
  /** Medians. */
  before: number
  after: number
  /** `after / before`. */
  ratio: number
  /** The lowest and the highest run, as shares of `before`. */
  range_before: Range
  range_after: Range
  /** Null: there are too few runs to tell it from the noise. */
  beyond_noise: boolean | null
}

interface Range {
  low: number
  high: number
}

/** With 4 runs of each, two identical servers are told apart wrongly once in 35 times; with 5, once in 126. */
const RUNS_TO_JUDGE = 4

/** The difference is larger than the noise when every run of one list is above every run of the other. */
export function difference(before: readonly number[], after: readonly number[]): Difference {
  const a = rangeOf(before)
  const b = rangeOf(after)
  const apart = a.high < b.low || b.high < a.low
  const base = median(before)
  const share = ({ low, high }: Range) => ({ low: low / base, high: high / base })
  return {
    before: base,
    after: median(after),
    ratio: median(after) / base,
    range_before: share(a),
    range_after: share(b),
    beyond_noise: Math.min(before.length, after.length) < RUNS_TO_JUDGE ? null : apart,
  }
}

const rangeOf = (values: readonly number[]): Range => ({
  low: Math.min(...values),
  high: Math.max(...values),
})
