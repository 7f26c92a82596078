import { expect } from 'vitest'
import { NOW, ODD_LIST } from './records.js'
import { parallel, type Rules } from './rule.js'

const WINDOW = 60
/** A window that begins soon: no clock will end it during the test. */
const START = (Math.floor(NOW / WINDOW) + 2) * WINDOW

export function throttleRules({ rule }: Rules): void {
  rule('hit: counts from 1 upwards, each key by itself', async ({ store, id }) => {
    const keys = [id('a'), id('A'), id('a:b'), ...ODD_LIST]
    for (const count of [1, 2, 3]) {
      for (const key of keys) expect(await store.throttle.hit(key, WINDOW, START)).toBe(count)
    }
  })

  rule('hit: windows are fixed, and the next one begins at 1', async ({ store, id }) => {
    const hit = (second: number) => store.throttle.hit(id('a'), WINDOW, START + second)
    expect(await hit(40)).toBe(1)
    expect(await hit(WINDOW - 1)).toBe(2)
    expect(await hit(WINDOW)).toBe(1)
    expect(await hit(WINDOW + 59)).toBe(2)
    expect(await hit(10 * WINDOW)).toBe(1)
  })

  rule('hit: 50 parallel callers are told 1 to 50, each number once', async ({ store, id }) => {
    const counts = await parallel(50, () => store.throttle.hit(id('a'), WINDOW, START))
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
  })
}
