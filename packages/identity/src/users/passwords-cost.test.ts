/** The calls of argon2: the same work without a hash, and never on all threads. */

import { createRequire, syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { argon2Passwords } from './passwords.js'

const running = { now: 0, most: 0 }

// The real functions, with a record of their calls.
const argon2: typeof import('@node-rs/argon2') = createRequire(import.meta.url)('@node-rs/argon2')
const actual = argon2.verify
const verify = vi.spyOn(argon2, 'verify').mockImplementation(async (...call) => {
  running.now += 1
  running.most = Math.max(running.most, running.now)
  return actual(...call).finally(() => {
    running.now -= 1
  })
})

// The files of one worker share their modules: what imports it already sees this one, too.
const threads = vi.spyOn(os, 'availableParallelism').mockReturnValue(64)
syncBuiltinESMExports()

beforeEach(() => void verify.mockClear())
afterAll(() => {
  verify.mockRestore()
  threads.mockRestore()
  syncBuiltinESMExports()
})

it.each([null, '', 'plain', '$2b$10$abc'])(
  'for the hash %j, too, argon2 verifies once, at full cost',
  async (hash) => {
    const passwords = argon2Passwords()
    expect(await passwords.verify(hash, 'correct horse')).toBe(false)
    const own = await passwords.hash('correct horse')
    expect(await passwords.verify(own, 'correct horse')).toBe(true)
    const asked = verify.mock.calls.map(([stored]) => argon2.parseOptions(String(stored)))
    expect(asked).toHaveLength(2)
    const [unknown, known] = asked.map(({ memoryCost, timeCost, parallelism }) => [
      memoryCost,
      timeCost,
      parallelism,
    ])
    expect(unknown).toEqual(known)
    expect(verify.mock.calls.map(([, password]) => password)).toEqual(['correct horse', 'correct horse'])
  },
)

it('at most three at a time, so that one of Node’s four threads stays free', async () => {
  const passwords = argon2Passwords()
  await Promise.all(Array.from({ length: 10 }, () => passwords.verify(null, 'correct horse')))
  expect(verify).toHaveBeenCalledTimes(10)
  expect(running.most).toBe(3)
})
