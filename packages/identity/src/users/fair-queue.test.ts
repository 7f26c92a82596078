/** Who gets a place in a full queue. The draws are given here. */

import { describe, expect, it } from 'vitest'
import { fairQueue } from './fair-queue.js'

interface Item {
  group: string
}

/** A queue of three places, and what each draw was among. */
function full(groups: string[], drawn: number) {
  const among: number[] = []
  const queue = fairQueue<Item>(3, (below) => {
    among.push(below)
    return drawn
  })
  for (const group of groups) queue.put({ group })
  const taken = () => {
    const order: string[] = []
    for (let item = queue.take(); item !== null; item = queue.take()) order.push(item.group)
    return order
  }
  return { queue, among, taken }
}

describe('in a full queue of groups with one item each, the place of a new group is drawn', () => {
  it.each([
    [0, 'a', ['b', 'c', 'new']],
    [2, 'c', ['a', 'b', 'new']],
    [3, 'new', ['a', 'b', 'c']],
  ])('draw %i: %s leaves', (drawn, leaves, order) => {
    const { queue, among, taken } = full(['a', 'b', 'c'], drawn)
    expect(queue.put({ group: 'new' })).toEqual({ group: leaves })
    expect(among).toEqual([4])
    expect(queue.size()).toBe(3)
    expect(taken()).toEqual(order)
  })

  it('a group with an item draws against larger groups alone', () => {
    const { queue, among } = full(['a', 'b', 'c'], 0)
    expect(queue.put({ group: 'a' })).toEqual({ group: 'a' })
    expect(among).toEqual([1])
    expect(queue.size()).toBe(3)
  })

  it('a group with two more items than the new one loses its newest without a draw', () => {
    const { queue, among, taken } = full(['a', 'a', 'b'], 9)
    expect(queue.put({ group: 'new' })).toEqual({ group: 'a' })
    expect(among).toEqual([])
    expect(taken()).toEqual(['a', 'b', 'new'])
  })
})

it('a new group has the same chance as each of those that wait: of every four draws it gets the place in three', () => {
  const kept = [0, 1, 2, 3].filter(
    (drawn) => full(['a', 'b', 'c'], drawn).queue.put({ group: 'new' })?.group !== 'new',
  )
  expect(kept).toHaveLength(3)
})
