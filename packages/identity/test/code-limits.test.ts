/** The limits of wrong codes, on the storage: each limit at it and one above. */

import { describe, expect, it } from 'vitest'
import type { CodeAttempt } from '../src/sign-in/code-limits.js'
import { codeWorld, DAY, guessCodes, guessForADay, START } from './_codes.js'

describe.each([
  { who: 'a browser that is not known', device: null, short: 'code', day: 'code_day' },
  { who: 'a known device', device: 'device 1', short: 'code_device', day: 'code_device_day' },
])('$who', ({ device, short, day }) => {
  const other = device === null ? 'device 1' : 'device 2'

  it('has 5 wrong codes in 300 seconds, and the sixth is refused until they end', async () => {
    const w = codeWorld()
    expect(await guessCodes(w, 5, { device, now: START + 10 })).toEqual([])
    expect(await w.right({ device }, START + 20)).toEqual({ limit: short, retry_after: 280 })
    expect(await w.right({ device }, START + 299)).toEqual({ limit: short, retry_after: 1 })
    expect(await w.right({ device }, START + 300)).toBeNull()
  })

  it('has 20 wrong codes in a day, and the next is refused until it ends', async () => {
    const w = codeWorld()
    expect(await guessForADay(w, { device })).toEqual([])
    expect(await w.right({ device }, START + 1_200)).toEqual({ limit: day, retry_after: DAY - 1_200 })
    expect(await w.right({ device }, START + DAY - 1)).toEqual({ limit: day, retry_after: 1 })
    expect(await w.right({ device }, START + DAY)).toBeNull()
  })

  it.each<[string, Partial<CodeAttempt>]>([
    ['another user', { username_key: 'bob', device }],
    ['another realm', { realm: 'two', device }],
    ['another device of the user', { device: other }],
  ])('at its limits, leaves %s what is theirs', async (_who, others) => {
    const w = codeWorld()
    await guessCodes(w, 6, { device })
    expect(await w.wrong({ device }, START)).toMatchObject({ limit: short })
    expect(await guessCodes(w, 5, others)).toEqual([])
    const long = codeWorld()
    expect(await guessForADay(long, { device })).toEqual([])
    expect(await long.wrong({ device }, START + 1_200)).toMatchObject({ limit: day })
    expect(await guessForADay(long, others)).toEqual([])
  })

  it('does not count a right code', async () => {
    const w = codeWorld()
    for (let index = 0; index < 30; index += 1) expect(await w.right({ device }, START)).toBeNull()
    expect(await w.throttles().list({ username: 'ann' }, START)).toEqual([])
    expect(await guessCodes(w, 6, { device })).toEqual([short])
  })

  it('does not count for the day what the shorter limit refuses', async () => {
    const w = codeWorld()
    expect(await guessCodes(w, 50, { device })).toHaveLength(45)
    const listed = await w.throttles().list({ username: 'ann' }, START)
    expect(listed.map(({ limit, failures }) => [limit, failures]).sort()).toEqual([
      [short, 5],
      [day, 5],
    ])
  })

  it('has 5 of 50 parallel attempts', async () => {
    const w = codeWorld()
    const answers = await Promise.all(Array.from({ length: 50 }, () => w.wrong({ device }, START)))
    expect(answers.filter((answer) => answer === null)).toHaveLength(5)
  })

  it('releases in the window of the attempt', async () => {
    const w = codeWorld()
    const answer = await w.reserve({ device }, START + 299)
    expect(await guessCodes(w, 4, { device, now: START + 300 })).toEqual([])
    if ('release' in answer) await answer.release()
    expect(await guessCodes(w, 2, { device, now: START + 300 })).toEqual([short])
  })
})

describe('operators', () => {
  const filled = async () => {
    const w = codeWorld()
    await guessCodes(w, 2, {})
    await guessCodes(w, 3, { device: 'device 1' })
    await guessCodes(w, 1, { username_key: 'bob' })
    await guessCodes(w, 1, { realm: 'two' })
    return w
  }

  it('list the counters of a user with their limits', async () => {
    const w = await filled()
    const listed = await w.throttles().list({ username: 'Ann' }, START + 1)
    expect(listed.sort((a, b) => a.limit.localeCompare(b.limit))).toEqual([
      { limit: 'code', failures: 2, maximum: 5, until: START + 300 },
      { limit: 'code_day', failures: 2, maximum: 20, until: START + DAY },
      { limit: 'code_device', failures: 3, maximum: 5, until: START + 300 },
      { limit: 'code_device_day', failures: 3, maximum: 20, until: START + DAY },
    ])
  })

  it('reset those of one user in one realm', async () => {
    const w = await filled()
    await guessCodes(w, 5, {})
    expect(await w.throttles().reset({ username: 'ann' })).toBe(4)
    expect(await w.throttles().list({ username: 'ann' }, START)).toEqual([])
    expect(await w.right({}, START)).toBeNull()
    expect(await w.throttles().list({ username: 'bob' }, START)).toHaveLength(2)
    expect(await w.throttles('two').list({ username: 'ann' }, START)).toHaveLength(2)
  })
})
