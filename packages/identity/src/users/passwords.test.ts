import { hash } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { BusyError } from './gate.js'
import { argon2Passwords, passwordFault } from './passwords.js'

const passwords = argon2Passwords()

describe('argon2Passwords', () => {
  it('hashes to a PHC string with at least the parameters that OWASP recommends', async () => {
    const stored = await passwords.hash('correct horse')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(await passwords.hash('correct horse')).not.toBe(stored)
    expect(passwords.stale(stored)).toBe(false)
  })

  it.each([
    ['correct horse', true],
    [' correct horse', false],
    ['correct horse ', false],
    ['Correct horse', false],
    ['', false],
    ['correct horse\0', false],
  ])('verifies %j: %s', async (password, right) => {
    expect(await passwords.verify(await passwords.hash('correct horse'), password)).toBe(right)
  })

  it('treats composed and decomposed characters, and all spaces, as equal (RFC 8265)', async () => {
    const stored = await passwords.hash('na\u00efve\u00a0pass')
    expect(await passwords.verify(stored, 'nai\u0308ve pass')).toBe(true)
  })

  it('keeps compatible characters apart, which are other passwords (NFC, not NFKC)', async () => {
    const stored = await passwords.hash('of\ufb01ce number \u2460')
    expect(await passwords.verify(stored, 'of\ufb01ce number \u2460')).toBe(true)
    expect(await passwords.verify(stored, 'office number \u2460')).toBe(false)
    expect(await passwords.verify(stored, 'of\ufb01ce number 1')).toBe(false)
  })

  it.each([null, '', 'plain', '$argon2id$', '$argon2id$v=19$m=1,t=1,p=1$$', '$2b$10$abc'])(
    'is false, and does not throw, for the hash %j',
    async (stored) => {
      expect(await passwords.verify(stored, 'correct horse')).toBe(false)
    },
  )

  it('weaker hashes are stale', async () => {
    expect(passwords.stale(await hash('x', { memoryCost: 8192, timeCost: 2 }))).toBe(true)
    expect(passwords.stale(await hash('x', { memoryCost: 19_456, timeCost: 1 }))).toBe(true)
    expect(passwords.stale(await hash('x', { memoryCost: 19_456, timeCost: 2, algorithm: 1 }))).toBe(true)
    expect(passwords.stale(await hash('x', { memoryCost: 32_768, timeCost: 3 }))).toBe(false)
    expect(passwords.stale('plain')).toBe(true)
  })

  it('has a limited queue', async () => {
    const small = argon2Passwords({ concurrent: 1, waiting: 2 })
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => small.verify(null, 'x')))
    const refused = tries.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(2)
    expect(refused.every(({ reason }) => reason instanceof BusyError)).toBe(true)
  })

  it('reserves a quarter of the queue for known callers', async () => {
    const small = argon2Passwords({ concurrent: 1, waiting: 4 })
    const others = Array.from({ length: 5 }, () => small.verify(null, 'x'))
    const tries = await Promise.allSettled([...others, small.verify(null, 'x', { known: true })])
    const outcomes = tries.map(({ status }) => status)
    expect(outcomes).toEqual([...Array(4).fill('fulfilled'), 'rejected', 'fulfilled'])
  })
})

describe('passwordFault', () => {
  it.each([
    ['12345678', null],
    ['        ', null],
    ['1234567', 'fewer than 8'],
    ['🐎🐎🐎🐎', 'fewer than 8'],
    ['x'.repeat(1024), null],
    ['x'.repeat(1025), 'more than 1024'],
  ])('%j', (password, fault) => {
    const found = passwordFault(password)
    if (fault === null) expect(found).toBeNull()
    else expect(found).toContain(fault)
  })
})

it('has 8 to 1,024 characters', () => {
  expect([7, 8, 1024, 1025].map((length) => passwordFault('x'.repeat(length)))).toEqual([
    'the password has fewer than 8 characters',
    null,
    null,
    'the password has more than 1024 characters',
  ])
})
