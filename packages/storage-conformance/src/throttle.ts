import { expect } from 'vitest'
import { NOW, ODD_LIST } from './records.js'
import { parallel, type Rules } from './rule.js'

const WINDOW = 60
const LONG = 10 * WINDOW
/** These windows begin later, so they do not end during the test. */
const START = (Math.floor(NOW / LONG) + 2) * LONG

export function throttleRules({ rule }: Rules): void {
  rule('hit: counts from 1 up, for each key separately', async ({ store, id }) => {
    const keys = [id('a'), id('A'), id('a:b'), ...ODD_LIST]
    for (const count of [1, 2, 3]) {
      for (const key of keys) expect(await store.throttle.hit(key, WINDOW, START)).toBe(count)
    }
  })

  rule('hit: windows are fixed, and each starts from 1', async ({ store, id }) => {
    const hit = (second: number) => store.throttle.hit(id('a'), WINDOW, START + second)
    expect(await hit(40)).toBe(1)
    expect(await hit(WINDOW - 1)).toBe(2)
    expect(await hit(WINDOW)).toBe(1)
    expect(await hit(WINDOW + 59)).toBe(2)
    expect(await hit(10 * WINDOW)).toBe(1)
  })

  rule('hit: returns 1 to 50 to 50 parallel callers, each number once', async ({ store, id }) => {
    const counts = await parallel(50, () => store.throttle.hit(id('a'), WINDOW, START))
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
  })

  rule(
    'release: takes back one hit of the same window, and never more than there are',
    async ({ store, id }) => {
      const { throttle } = store
      for (const key of [id('a'), id('a'), id('b')]) await throttle.hit(key, WINDOW, START)
      await throttle.release(id('a'), WINDOW, START + 1)
      expect(await throttle.hit(id('a'), WINDOW, START + 2)).toBe(2)
      expect(await throttle.hit(id('b'), WINDOW, START + 2)).toBe(2)
      for (const key of [id('b'), id('b'), id('b'), id('none')])
        await throttle.release(key, WINDOW, START + 3)
      expect(await throttle.hit(id('b'), WINDOW, START + 4)).toBe(1)
      expect(await throttle.hit(id('none'), WINDOW, START + 4)).toBe(1)
    },
  )

  rule('release: the hits that 50 parallel callers count and take back leave none', async ({ store, id }) => {
    await parallel(50, async () => {
      await store.throttle.hit(id('a'), WINDOW, START)
      await store.throttle.release(id('a'), WINDOW, START)
    })
    expect(await store.throttle.hit(id('a'), WINDOW, START)).toBe(1)
  })

  rule('list: current and future windows of keys with this prefix', async ({ store, id }) => {
    const hit = (key: string, window = WINDOW) => store.throttle.hit(key, window, START)
    await hit(id('a:1'))
    await hit(id('a:1'))
    await hit(id('a:2'), LONG)
    await hit(id('b:1'))
    const listed = await store.throttle.list(id('a:'), START)
    expect(listed.sort((one, two) => one.ends_at - two.ends_at)).toEqual([
      { key: id('a:1'), hits: 2, ends_at: START + WINDOW },
      { key: id('a:2'), hits: 1, ends_at: START + LONG },
    ])
    expect(await store.throttle.list(id('a:'), START + WINDOW)).toEqual([
      { key: id('a:2'), hits: 1, ends_at: START + LONG },
    ])
    for (const none of [id('c'), id('%'), `${id('a:')}*`, ...ODD_LIST.filter(Boolean)])
      expect(await store.throttle.list(none, START)).toEqual([])
  })

  rule('reset: deletes the windows of keys with this prefix, and no others', async ({ store, id }) => {
    const hit = (key: string) => store.throttle.hit(key, WINDOW, START)
    for (const key of [id('a:1'), id('a:2'), id('b:1')]) await hit(key)
    expect(await store.throttle.reset(id('a:'))).toBe(2)
    expect(await store.throttle.reset(id('a:'))).toBe(0)
    expect(await hit(id('a:1'))).toBe(1)
    expect(await hit(id('b:1'))).toBe(2)
  })
}
