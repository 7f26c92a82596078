/** Does work of one kind together, so that a core runs the same code several times in a row. */

interface Waiting<Input, Output> {
  input: Input
  resolve: (output: Output | Promise<Output>) => void
  reject: (cause: unknown) => void
}

/** Milliseconds that the work of one kind may take at a time, if nothing else is said. */
const TURN_MS = 3
/** Of a turn that gets shorter while the process waits. */
const SHORTEST_MS = 0.5
/** Over which it is seen how long the process waits. */
const WINDOW_MS = 20
/** The part of the time that a busy process may wait. */
const MAX_IDLE = 0.02

interface MeasuredPerformance {
  eventLoopUtilization?(): { idle: number }
}

/** Milliseconds for which the event loop has waited; always 0 where the runtime does not tell. */
const idleTime = (): number => (performance as MeasuredPerformance).eventLoopUtilization?.().idle ?? 0

/**
 * The length of turns, for `inTurns`. Work that is done together costs less, but what follows it, such as a statement of the database,
 * begins later: while the event loop waits for more than 2% of the time, turns get shorter, down to 0.5 ms; then longer again, up to 3.
 * @param idleMs Milliseconds for which the event loop has waited, since any moment; when absent, as Node tells it. On Bun turns stay as they are.
 */
export function turnLength(idleMs: () => number = idleTime): () => number {
  // With 16 connections on Node 24 and PostgreSQL, a refresh makes two signatures before its statement: 10% more of them a second, 7% more
  // code flows, and as many client credentials, which wait for nothing.
  let turn_ms = TURN_MS
  let seen = { at: performance.now(), idle: idleMs() }
  return () => {
    const at = performance.now()
    if (at - seen.at < WINDOW_MS) return turn_ms
    const idle = idleMs()
    const waits = idle - seen.idle > MAX_IDLE * (at - seen.at)
    turn_ms = waits ? Math.max(SHORTEST_MS, turn_ms * 0.7) : Math.min(TURN_MS, turn_ms * 1.1)
    seen = { at, idle }
    return turn_ms
  }
}

/**
 * Collects the inputs that arrive in one turn of the event loop, and runs the function for all of them at the end of the turn.
 * What takes longer than `turn_ms` (3; a function is asked at the begin of each turn) continues in the next turn: other work of the event loop waits for so long. With 0, each
 * turn takes one input. A failure rejects the promise of its own input only.
 */
export function inTurns<Input, Output>(
  run: (input: Input) => Output | Promise<Output>,
  turn_ms: number | (() => number) = TURN_MS,
): (input: Input) => Promise<Output> {
  // A core runs code that it has just run faster, because the instructions and the targets of branches are still in its caches;
  // and the responses are written together, which wakes the receiver once. With 16 connections on Node 20, this made 3,700
  // client credentials with ES256 a second 6,200, and 10,500 responses of UserInfo 14,000.
  const waiting: Waiting<Input, Output>[] = []

  function runWaiting(): void {
    const until = performance.now() + (typeof turn_ms === 'number' ? turn_ms : turn_ms())
    let done = 0
    for (const item of waiting) {
      settle(item, run)
      done++
      if (performance.now() >= until) break
    }
    waiting.splice(0, done)
    if (waiting.length > 0) setImmediate(runWaiting)
  }

  return (input) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ input, resolve, reject }) === 1) setImmediate(runWaiting)
    })
}

function settle<Input, Output>(
  { input, resolve, reject }: Waiting<Input, Output>,
  run: (input: Input) => Output | Promise<Output>,
): void {
  try {
    resolve(run(input))
  } catch (cause) {
    reject(cause)
  }
}
