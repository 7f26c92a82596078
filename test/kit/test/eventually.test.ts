import { expect, it } from 'vitest'
import { eventually } from '../src/eventually.ts'

/** What it shows in order; the last one again and again. */
function showing<T>(...values: T[]): () => T {
  let looks = 0
  return () => {
    const value = values[Math.min(looks, values.length - 1)] as T
    looks += 1
    return value
  }
}

it('waits until it is no longer false, and returns what it is', async () => {
  expect(await eventually(showing<false | number>(false, false, 7))).toBe(7)
  expect(await eventually(showing(false, true))).toBe(true)
  expect(await eventually(showing(undefined))).toBe(undefined)
})

it('waits until an assertion holds', async () => {
  const shown = showing('no', 'no', 'yes', 'never')
  await eventually(() => expect(shown()).toBe('yes'))
})

it('tells the last fault', async () => {
  const shown = showing('first', 'last')
  const look = () => {
    throw new Error(shown())
  }
  await expect(eventually(look, { seconds: 0.1 })).rejects.toThrow('last')
  await expect(eventually(() => false, { seconds: 0.1 })).rejects.toThrow('within 0.1 seconds: () => false')
})
