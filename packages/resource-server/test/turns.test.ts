import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inTurns } from '../src/turns.js'

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
