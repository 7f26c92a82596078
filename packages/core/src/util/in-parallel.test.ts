import { expect, it } from 'vitest'
import { inParallel } from './in-parallel.js'

it('runs at most as many at a time as the limit, and keeps the order of the items', async () => {
  let running = 0
  let most = 0
  const doubled = await inParallel([5, 1, 4, 2, 3], 2, async (item) => {
    running += 1
    most = Math.max(most, running)
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve()
    running -= 1
    return item * 2
  })
  expect([doubled, most]).toEqual([[10, 2, 8, 4, 6], 2])
})

it('after a failure starts no more, and fails when those under way have ended', async () => {
  const ended: number[] = []
  const all = inParallel([1, 2, 3, 4], 2, async (item) => {
    if (item === 1) throw new Error('the first')
    await new Promise((resolve) => setImmediate(resolve))
    ended.push(item)
  })
  await expect(all).rejects.toThrow('the first')
  expect(ended).toEqual([2])
})

it('of nothing is nothing', async () => {
  expect(await inParallel([], 3, async () => 1)).toEqual([])
})
