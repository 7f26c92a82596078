import { expect, it } from 'vitest'
import { perRealm } from '../src/per-realm.js'

it('makes the stores of a realm once, and keeps those of 1,000 realms', () => {
  const made: string[] = []
  const storeOf = perRealm((realm) => {
    made.push(realm)
    return { realm }
  })
  const ask = (count: number) => {
    for (let n = 1; n <= count; n++) expect(storeOf(`r-${n}`)).toEqual({ realm: `r-${n}` })
    return made.length
  }
  expect(ask(1000)).toBe(1000)
  expect(ask(1000)).toBe(1000)
  // One more than are kept: all are made again when they are asked for.
  expect(ask(1001)).toBe(1001)
  expect(ask(1)).toBe(1002)
})
