import { expect } from 'vitest'
import { NOW, ODD_LIST } from './records.js'
import { parallel, type Rules } from './rule.js'

const WINDOW_SECONDS = 60
const LONG_WINDOW_SECONDS = 10 * WINDOW_SECONDS
/** The beginning of a window in the future, so that it does not end during the test. */
const START = (Math.floor(NOW / LONG_WINDOW_SECONDS) + 2) * LONG_WINDOW_SECONDS

export function throttleRules({ rule }: Rules): void {
  rule('hit: counts from 1, for each key separately', async ({ store, key }) => {
    const keys = [key('a'), key('A'), key('a:b'), ...ODD_LIST]
    for (const count of [1, 2, 3]) {
      for (const key of keys) expect(await store.throttle.hit(key, WINDOW_SECONDS, START)).toBe(count)
    }
  })

  rule('hit: windows begin at fixed times, and each counts from 1', async ({ store, key }) => {
    const hit = (second: number) => store.throttle.hit(key('a'), WINDOW_SECONDS, START + second)
    expect(await hit(40)).toBe(1)
    expect(await hit(WINDOW_SECONDS - 1)).toBe(2)
    expect(await hit(WINDOW_SECONDS)).toBe(1)
    expect(await hit(WINDOW_SECONDS + 59)).toBe(2)
    expect(await hit(10 * WINDOW_SECONDS)).toBe(1)
  })

  rule('hit: 50 parallel callers get the numbers from 1 to 50, each once', async ({ store, key }) => {
    const counts = await parallel(50, () => store.throttle.hit(key('a'), WINDOW_SECONDS, START))
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
  })

  rule('hitBoth: counts both keys, the second only up to the limit of the first', async ({ store, key }) => {
    const { throttle } = store
    const pair = { first: key('a'), max: 2, second: key('a b') }
    const hit = (second: string, at = START) => throttle.hitBoth({ ...pair, second }, WINDOW_SECONDS, at)
    expect(await hit(pair.second)).toEqual({ first: 1, second: 1 })
    expect(await hit(key('a c'))).toEqual({ first: 2, second: 1 })
    for (const first of [3, 4]) expect(await hit(key('a d'))).toEqual({ first, second: 0 })
    expect(await throttle.list(key('a d'), START)).toEqual([])
    expect(await throttle.hit(pair.first, WINDOW_SECONDS, START)).toBe(5)
    expect(await throttle.hit(pair.second, WINDOW_SECONDS, START)).toBe(2)
    expect(await throttle.list(pair.second, START)).toEqual([
      { key: pair.second, hits: 2, ends_at: START + WINDOW_SECONDS },
    ])
    expect(await hit(pair.second, START + WINDOW_SECONDS)).toEqual({ first: 1, second: 1 })
  })

  rule('hitBoth: of 50 parallel callers, as many count the second key as the limit allows', async (t) => {
    const { throttle } = t.store
    const pair = { first: t.key('a'), max: 20, second: t.key('b') }
    const counts = await parallel(50, () => throttle.hitBoth(pair, WINDOW_SECONDS, START))
    const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
    const firsts = counts.map(({ first }) => first).sort((a, b) => a - b)
    const seconds = counts.map(({ second }) => second).sort((a, b) => a - b)
    expect(firsts).toEqual(numbers(50))
    expect(seconds).toEqual([...Array<number>(30).fill(0), ...numbers(20)])
  })

  rule(
    'release: removes one hit of the same window; the count does not fall below 0',
    async ({ store, key }) => {
      const { throttle } = store
      for (const counted of [key('a'), key('a'), key('b')]) await throttle.hit(counted, WINDOW_SECONDS, START)
      await throttle.release(key('a'), WINDOW_SECONDS, START + 1)
      expect(await throttle.hit(key('a'), WINDOW_SECONDS, START + 2)).toBe(2)
      expect(await throttle.hit(key('b'), WINDOW_SECONDS, START + 2)).toBe(2)
      for (const counted of [key('b'), key('b'), key('b'), key('none')])
        await throttle.release(counted, WINDOW_SECONDS, START + 3)
      expect(await throttle.hit(key('b'), WINDOW_SECONDS, START + 4)).toBe(1)
      expect(await throttle.hit(key('none'), WINDOW_SECONDS, START + 4)).toBe(1)
    },
  )

  rule('release: no hit is left when 50 parallel callers hit and release', async ({ store, key }) => {
    await parallel(50, async () => {
      await store.throttle.hit(key('a'), WINDOW_SECONDS, START)
      await store.throttle.release(key('a'), WINDOW_SECONDS, START)
    })
    expect(await store.throttle.hit(key('a'), WINDOW_SECONDS, START)).toBe(1)
  })

  rule('list: current and future windows of keys with this prefix', async ({ store, key }) => {
    const hit = (key: string, window = WINDOW_SECONDS) => store.throttle.hit(key, window, START)
    await hit(key('a:1'))
    await hit(key('a:1'))
    await hit(key('a:2'), LONG_WINDOW_SECONDS)
    await hit(key('b:1'))
    const listed = await store.throttle.list(key('a:'), START)
    expect(listed.sort((one, two) => one.ends_at - two.ends_at)).toEqual([
      { key: key('a:1'), hits: 2, ends_at: START + WINDOW_SECONDS },
      { key: key('a:2'), hits: 1, ends_at: START + LONG_WINDOW_SECONDS },
    ])
    expect(await store.throttle.list(key('a:'), START + WINDOW_SECONDS)).toEqual([
      { key: key('a:2'), hits: 1, ends_at: START + LONG_WINDOW_SECONDS },
    ])
    // At once: a divided database asks each bucket for each of them.
    const unknown = [key('c'), key('%'), `${key('a:')}*`, ...ODD_LIST.filter(Boolean)]
    const found = await parallel(unknown.length, (n) => store.throttle.list(unknown[n] ?? '', START))
    expect(found).toEqual(unknown.map(() => []))
  })

  rule('reset: deletes the windows of keys with this prefix, and no others', async ({ store, key }) => {
    const hit = (key: string) => store.throttle.hit(key, WINDOW_SECONDS, START)
    for (const counted of [key('a:1'), key('a:2'), key('b:1')]) await hit(counted)
    expect(await store.throttle.reset(key('a:'))).toBe(2)
    expect(await store.throttle.reset(key('a:'))).toBe(0)
    expect(await hit(key('a:1'))).toBe(1)
    expect(await hit(key('b:1'))).toBe(2)
  })
}
