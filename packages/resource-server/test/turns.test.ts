import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventually } from '@ostiary/test-kit/eventually'
import { expect, it, vi } from 'vitest'
import { inTurns, turnLength } from '../src/turns.js'

it('runs for all inputs of a turn before any of them continues', async () => {
  const steps: string[] = []
  const run = inTurns((input: string) => void steps.push(`run ${input}`))
  await Promise.all(['a', 'b', 'c'].map((input) => run(input).then(() => steps.push(`continue ${input}`))))
  expect(steps).toEqual(['run a', 'run b', 'run c', 'continue a', 'continue b', 'continue c'])
})

it('a failure rejects its own input only', async () => {
  const run = inTurns((input: number) => {
    if (input === 2) throw new Error('two')
    return input * 10
  })
  const results = await Promise.allSettled([1, 2, 3].map(run))
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
  ).toEqual([10, 'two', 30])
})

it('work that takes long leaves other work its turn, and is done in its order', async () => {
  const done: number[] = []
  const run = inTurns((input: number) => {
    const until = performance.now() + 4
    while (performance.now() < until);
    done.push(input)
  })
  const all = Promise.all([1, 2, 3].map(run))
  await nextTurn()
  expect(done).toEqual([1])
  await all
  expect(done).toEqual([1, 2, 3])
})

it('with no time for a turn, takes one input in each', async () => {
  const done: number[] = []
  const run = inTurns((input: number) => void done.push(input), 0)
  const all = Promise.all([1, 2, 3].map(run))
  for (const so_far of [[1], [1, 2], [1, 2, 3]]) {
    await nextTurn()
    expect(done).toEqual(so_far)
  }
  await all
})

it('takes inputs that come while others are run', async () => {
  const run = inTurns((input: number): unknown => (input > 0 ? run(input - 1) : input))
  expect(await run(3)).toBe(0)
})

it('asks for the length of each turn', async () => {
  const lengths = [0, 60_000]
  const done: number[] = []
  const run = inTurns(
    (input: number) => void done.push(input),
    () => lengths.shift() ?? 0,
  )
  const all = Promise.all([1, 2, 3].map(run))
  await nextTurn()
  expect(done).toEqual([1])
  await all
  expect([done, lengths]).toEqual([[1, 2, 3], []])
})

/** The length of turns of a process that waits for this part of each window of 20 ms. */
function lengths(idle_parts: readonly number[]): number[] {
  let now = 0
  let idle = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  try {
    const length = turnLength(() => idle)
    return idle_parts.map((part) => {
      now += 20
      idle += 20 * part
      return length()
    })
  } finally {
    vi.restoreAllMocks()
  }
}

it('turns are 3 ms long while the process waits for 2% of the time, and shorter above', () => {
  expect(lengths([0, 0.019, 0.019])).toEqual([3, 3, 3])
  expect(lengths([0.021])).toEqual([3 * 0.7])
})

it('a turn is never shorter than half a millisecond, and grows to 3 again', () => {
  const long_wait = lengths(Array.from({ length: 20 }, () => 1))
  expect(long_wait.at(-1)).toBe(0.5)
  expect(Math.min(...long_wait)).toBe(0.5)
  const busy_again = lengths([...Array.from({ length: 20 }, () => 1), ...Array.from({ length: 30 }, () => 0)])
  expect(busy_again.at(20)).toBeCloseTo(0.55)
  expect(busy_again.at(-1)).toBe(3)
})

it('within a window the length stays', () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  try {
    const length = turnLength(() => now)
    now = 19
    expect(length()).toBe(3)
    now = 20
    expect(length()).toBeLessThan(3)
  } finally {
    vi.restoreAllMocks()
  }
})

it('on Node, a process that waits has shorter turns', async () => {
  const length = turnLength()
  // Bun does not tell how long it waits.
  if ('Bun' in globalThis) expect(length()).toBe(3)
  else await eventually(async () => length() < 3)
})
