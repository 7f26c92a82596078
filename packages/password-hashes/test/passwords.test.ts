/** The work of a sign-in with a hash of another system: in the queue of all passwords, and never less than for a name without an account. */

import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { argon2Passwords, BusyError } from '@ostiary/identity'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isOwnHash, withOlderHashes } from '../src/index.js'
import { PASSWORD, VECTORS } from './_vectors.js'

const require = createRequire(import.meta.url)
const argon2: typeof import('@node-rs/argon2') = require('@node-rs/argon2')
const bcrypt: typeof import('@node-rs/bcrypt') = require('@node-rs/bcrypt')

const SSHA = '{SSHA}yp0NMycviPuwP7OgZkIJqW/x1QZcS+kd'
const BCRYPT = '$2y$05$PqOknT0mJ2rmsGKQe8q97ugbazcqo0Y0FIxrdDBF8gK1V/ZT7xvky'
/** Weaker and faster than an own one. */
const ARGON2 = '$argon2id$v=19$m=1024,t=2,p=1$c29tZXNhbHQ4$f5mVnsWM8T1p28J9rgNTUO4C7B50K+wgGUGyK1XbI0s'
const UNKNOWN = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/

describe('the work', () => {
  const work: string[] = []
  beforeEach(() => {
    work.splice(0)
    for (const library of [argon2, bcrypt]) {
      const actual = library.verify as (...call: unknown[]) => Promise<boolean>
      vi.spyOn(library as { verify: typeof actual }, 'verify').mockImplementation(async (...call) => {
        // argon2 takes the hash first, bcrypt the password.
        work.push(String(library === argon2 ? call[0] : call[1]))
        return actual(...call)
      })
    }
  })
  afterEach(() => void vi.restoreAllMocks())

  it.each([
    ['a name without an account', null, [expect.stringMatching(UNKNOWN)]],
    ['{SSHA}', SSHA, [expect.stringMatching(UNKNOWN)]],
    ['bcrypt', BCRYPT, [BCRYPT, expect.stringMatching(UNKNOWN)]],
    ['a weaker argon2', ARGON2, [ARGON2, expect.stringMatching(UNKNOWN)]],
    ['a text that is no hash', 'plain', [expect.stringMatching(UNKNOWN)]],
  ])('of a wrong password for %s includes one own verification', async (_, hash, expected) => {
    expect(await withOlderHashes(argon2Passwords()).verify(hash, 'wrong horse')).toBe(false)
    expect(work).toEqual(expected)
  })

  it('of the empty password is one own verification', async () => {
    for (const hash of [null, SSHA, BCRYPT, ARGON2]) await withOlderHashes(argon2Passwords()).verify(hash, '')
    expect(work).toEqual(Array(4).fill(expect.stringMatching(UNKNOWN)))
  })

  it('of the right password is that of its hash', async () => {
    expect(await withOlderHashes(argon2Passwords()).verify(BCRYPT, PASSWORD)).toBe(true)
    expect(work).toEqual([BCRYPT])
  })

  it('of an own hash is one verification', async () => {
    const passwords = withOlderHashes(argon2Passwords())
    const own = await passwords.hash(PASSWORD)
    expect([await passwords.verify(own, PASSWORD), await passwords.verify(own, 'wrong')]).toEqual([
      true,
      false,
    ])
    expect(work).toEqual([own, own])
  })
})

describe('the queue', () => {
  it('has the older hashes and the own ones', async () => {
    const passwords = withOlderHashes(argon2Passwords({ concurrent: 1, waiting: 2 }))
    // The kinds are loaded, so that all ask for a place at once.
    await passwords.verify(SSHA, PASSWORD)
    const tries = [SSHA, BCRYPT, null, SSHA, ARGON2].map((hash) => passwords.verify(hash, PASSWORD))
    const results = await Promise.allSettled(tries)
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(2)
    expect(refused.every(({ reason }) => reason instanceof BusyError)).toBe(true)
  })

  it('has places for known callers', async () => {
    const passwords = withOlderHashes(argon2Passwords({ concurrent: 1, waiting: 4 }))
    await passwords.verify(SSHA, PASSWORD)
    const others = Array.from({ length: 5 }, () => passwords.verify(SSHA, 'wrong'))
    const known = passwords.verify(SSHA, PASSWORD, { known: true })
    const results = await Promise.allSettled([...others, known])
    expect(results.map(({ status }) => status).slice(-1)).toEqual(['fulfilled'])
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  })

  it('gives its place back when the hash cannot be verified', async () => {
    const passwords = withOlderHashes(argon2Passwords({ concurrent: 1, waiting: 0 }))
    vi.spyOn(bcrypt, 'verify').mockRejectedValue(new Error('no memory'))
    await expect(passwords.verify(BCRYPT, PASSWORD)).rejects.toThrow('no memory')
    vi.restoreAllMocks()
    expect(await passwords.verify(BCRYPT, PASSWORD)).toBe(true)
    expect(passwords.load()).toMatchObject({ running: 0, waiting: 0 })
  })
})

describe('what is replaced at the next sign-in', () => {
  const passwords = withOlderHashes(argon2Passwords())

  it('is each hash that is weaker or of another kind', () => {
    const kept = VECTORS.filter(([, , hash]) => !passwords.stale(hash))
    // 64 MiB and 4 passes: stronger than a new hash.
    expect(kept.map(([, , hash]) => hash)).toEqual([
      expect.stringContaining('$argon2id$v=19$m=65536,t=4,p=1$'),
    ])
  })

  it('is no own hash', async () => {
    const own = await passwords.hash(PASSWORD)
    expect([passwords.stale(own), isOwnHash(own)]).toEqual([false, true])
    for (const other of [ARGON2, BCRYPT, `${own}A`, own.slice(0, -1), own.replace('t=2', 't=3')])
      expect(isOwnHash(other), other).toBe(false)
  })
})

it('says what to do when the module of bcrypt is not installed for this machine', async () => {
  const script = `
    import { argon2Passwords } from '@ostiary/identity'
    import { withOlderHashes } from '@ostiary/password-hashes'
    const error = await withOlderHashes(argon2Passwords()).verify(${JSON.stringify(BCRYPT)}, 'x').catch((error) => error)
    console.log(error.message)`
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const env = { ...process.env, NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere.node', NAPI_RS_FORCE_WASI: '' }
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env })
  expect(stdout).toMatch(
    /^bcrypt hashes cannot be verified: @node-rs\/bcrypt cannot be loaded on \w+ \w+\. Install the packages/,
  )
})

it('loads the kinds with the first older hash, and the module of bcrypt with the first one of bcrypt', async () => {
  const script = `
    import { createRequire } from 'node:module'
    import { argon2Passwords } from '@ostiary/identity'
    import { withOlderHashes } from '@ostiary/password-hashes'
    const { cache } = createRequire(import.meta.url)
    const loaded = () => Object.keys(cache).some((name) => name.includes('bcrypt'))
    const passwords = withOlderHashes(argon2Passwords())
    const seen = [await passwords.verify(null, 'x'), loaded()]
    seen.push(await passwords.verify(${JSON.stringify(SSHA)}, ${JSON.stringify(PASSWORD)}), loaded())
    seen.push(await passwords.verify(${JSON.stringify(BCRYPT)}, ${JSON.stringify(PASSWORD)}), loaded())
    console.log(JSON.stringify(seen))`
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd })
  expect(JSON.parse(stdout)).toEqual([false, false, true, false, true, true])
})
