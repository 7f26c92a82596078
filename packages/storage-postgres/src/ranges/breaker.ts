/** Sends nothing to a database that does not answer, until it answers again. */

import { isServerLost, isTimeout, isUnavailable } from '../connection/availability.js'

/** Statements without an answer, one after the other, until no more are sent. */
const MAX_SILENT = 3

/** From the end of a probe to the next one. */
const PROBE_INTERVAL_MS = 1_000

export interface Breaker {
  /** @throws What `refusal` makes, at once, while the database does not answer; else what the statement throws. */
  run<T>(statement: () => Promise<T>): Promise<T>
  /** Whether nothing is sent but probes. */
  isOpen(): boolean
  /** Sends no further probe. */
  end(): void
}

interface BreakerOptions {
  /** A statement that shows whether the database answers. */
  probe: () => Promise<unknown>
  refusal: () => Error
}

export function breaker({ probe, refusal }: BreakerOptions): Breaker {
  let silent = 0
  let answers = 0
  let open = false
  let ended = false
  let timer: NodeJS.Timeout | undefined

  function onAnswer(): void {
    answers += 1
    silent = 0
    open = false
    clearTimeout(timer)
  }

  /** A statement that has waited behind others, which were answered, says nothing. */
  function onError(error: unknown, answers_before: number): void {
    if (!isServerLost(error)) onAnswer()
    if (!isTimeout(error) || answers !== answers_before || open || ended) return
    silent += 1
    if (silent < MAX_SILENT) return
    open = true
    probeLater()
  }

  function probeLater(): void {
    timer = setTimeout(() => {
      probe().then(onAnswer, onFailedProbe)
    }, PROBE_INTERVAL_MS).unref()
  }

  function onFailedProbe(error: unknown): void {
    if (!isUnavailable(error)) onAnswer()
    if (open) probeLater()
  }

  return {
    async run(statement) {
      if (open) throw refusal()
      const answers_before = answers
      try {
        const result = await statement()
        onAnswer()
        return result
      } catch (error) {
        onError(error, answers_before)
        throw error
      }
    },
    isOpen: () => open,
    end() {
      ended = true
      open = false
      clearTimeout(timer)
    },
  }
}
