import { expect } from 'vitest'
import { LATER, LONG_AGO, NOW } from './records.js'
import { drain, parallel, type Rules, winnersOf } from './rule.js'

export function replayRules({ rule, realmsRule }: Rules): void {
  rule('claim: true once, until the key expires', async ({ store, key }) => {
    expect(await store.replays.claim(key('a'), LATER, NOW)).toBe(true)
    expect(await store.replays.claim(key('a'), LATER, NOW)).toBe(false)
    expect(await store.replays.claim(key('a'), LATER + 9, NOW)).toBe(false)
    expect(await store.replays.claim(key('A'), LATER, NOW)).toBe(true)
    expect(await store.replays.claim(`${key('a')} `, LATER, NOW)).toBe(true)
  })

  rule('claim: one of 50 parallel callers wins', async ({ store, key }) => {
    const results = await parallel(50, (caller) => store.replays.claim(key('a'), LATER + caller, NOW))
    expect(winnersOf(results)).toHaveLength(1)
  })

  rule('claim: parallel claims of different keys all win', async ({ store, key }) => {
    const results = await parallel(50, (n) => store.replays.claim(key(`${n}`), LATER, NOW))
    expect(winnersOf(results)).toHaveLength(50)
  })

  rule('claim: a claim that is refused does not prolong the first one', async ({ store, key }) => {
    await store.replays.claim(key('a'), NOW - 5, LONG_AGO)
    expect(await store.replays.claim(key('a'), LATER, NOW - 6)).toBe(false)
    expect(await store.replays.claim(key('a'), LATER, NOW - 5)).toBe(true)
  })

  rule(
    'claim: an expired key may be claimed again, by one of 50 parallel callers',
    async ({ store, key }) => {
      await store.replays.claim(key('a'), NOW - 60, LONG_AGO)
      const results = await parallel(50, () => store.replays.claim(key('a'), LATER, NOW))
      expect(winnersOf(results)).toHaveLength(1)
      expect(await store.replays.claim(key('a'), LATER, NOW)).toBe(false)
    },
  )

  rule('purge: leaves keys that have not expired, and frees those that have', async ({ store, key }) => {
    await store.replays.claim(key('old'), NOW - 60, LONG_AGO)
    await store.replays.claim(key('new'), LATER, NOW)
    await drain(store, NOW)
    expect(await store.replays.claim(key('new'), LATER, NOW)).toBe(false)
    expect(await store.replays.claim(key('old'), LATER, NOW)).toBe(true)
  })

  realmsRule('claim: the key is free in the other realm', async ({ store, other, key }) => {
    expect(await store.replays.claim(key('a'), LATER, NOW)).toBe(true)
    expect(await other.replays.claim(key('a'), LATER, NOW)).toBe(true)
    expect(await store.replays.claim(key('a'), LATER, NOW)).toBe(false)
  })
}
