/**
 * Measures in the background what costs a statement, or what may not answer: /metrics shows what was measured last, so
 * it answers from memory, also while the storage hangs.
 */

/** A value that is measured at intervals. */
export interface SampledSource {
  /** One of a fixed list: it is a label. */
  name: string
  /** Measures, and keeps the result. A rejection leaves the last result. */
  read(): Promise<void>
  /** Measured in every n-th round. */
  every: number
}

/** How the measurements of a source have gone. */
export interface SampleState {
  name: string
  failures: number
  /** Seconds since the last measurement that succeeded, or since the start. */
  age: number
}

export interface Sampler {
  start(): void
  stop(): void
  states(): SampleState[]
}

export interface SamplerOptions {
  interval_ms: number
  /** Milliseconds of a clock that is never set back. */
  now?: () => number
}

/**
 * A source that has not answered after this many rounds is asked again, and its late answer counts too. Until then it is
 * not asked twice at a time.
 */
const MAX_ROUNDS_PER_READ = 4

export function createSampler(sources: readonly SampledSource[], options: SamplerOptions): Sampler {
  const { interval_ms, now = () => performance.now() } = options
  const states = sources.map((source) => sourceState(source, now))
  let timer: ReturnType<typeof setInterval> | undefined
  let round = 0
  const sample = () => {
    for (const state of states) state.round(round)
    round += 1
  }
  return {
    start() {
      sample()
      timer = setInterval(sample, interval_ms)
      timer.unref()
    },
    stop: () => clearInterval(timer),
    states: () => states.map((state) => state.shown()),
  }
}

function sourceState({ name, read, every }: SampledSource, now: () => number) {
  let failures = 0
  let succeeded_at = now()
  /** Rounds since the question that is not answered yet; null when none is open. */
  let waiting: number | null = null
  const ask = async () => {
    waiting = 0
    try {
      await read()
      succeeded_at = now()
    } catch {
      failures += 1
    }
    waiting = null
  }
  return {
    round(number: number) {
      if (waiting !== null) {
        waiting += 1
        failures += 1
        if (waiting < MAX_ROUNDS_PER_READ) return
      } else if (number % every !== 0) return
      void ask()
    },
    shown: (): SampleState => ({ name, failures, age: (now() - succeeded_at) / 1000 }),
  }
}
