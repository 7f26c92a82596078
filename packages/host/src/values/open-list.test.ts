import { expect, it } from 'vitest'
import { openList } from './open-list.js'

it('has its values in the order in which they were added, without those that were removed', () => {
  const list = openList<string>()
  expect(list.values()).toEqual([])
  const [first, , third] = ['a', 'b', 'c', 'd'].map((value) => list.add(value))
  third?.()
  expect(list.values()).toEqual(['a', 'b', 'd'])
  first?.()
  list.add('e')
  expect(list.values()).toEqual(['b', 'd', 'e'])
})

it('a value that is removed twice is removed once', () => {
  const list = openList<string>()
  const [first, second] = ['a', 'b', 'c'].map((value) => list.add(value))
  first?.()
  second?.()
  first?.()
  expect(list.values()).toEqual(['c'])
})
