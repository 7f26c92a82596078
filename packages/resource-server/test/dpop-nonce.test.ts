/** The nonces of DPoP proofs: RFC 9449 §8. */

import { describe, expect, it } from 'vitest'
import { dpopNonces } from '../src/index.js'

const MINUTE = 1_800_000_000
const KEY = new Uint8Array(32).fill(7)
const nonces = dpopNonces(KEY)

describe('a nonce', () => {
  it('is the same for a minute, on every server with this key, and another one in the next minute', () => {
    const nonce = nonces.current(MINUTE)
    expect(nonce).toMatch(/^[\w-]{43}$/)
    expect(nonces.current(MINUTE + 59)).toBe(nonce)
    expect(dpopNonces(Uint8Array.from(KEY)).current(MINUTE + 30)).toBe(nonce)
    expect(nonces.current(MINUTE + 60)).not.toBe(nonce)
  })

  it.each([
    [-121, false],
    [-61, false],
    [-60, true],
    [-1, true],
    [0, true],
    [59, true],
    [60, true],
    [299, true],
    [300, false],
    [86_400, false],
  ])('is accepted %i seconds after the start of its minute: %s', (seconds, expected) => {
    const nonce = nonces.current(MINUTE)
    // Twice, and with another minute between, because the nonces of one minute are kept.
    expect(nonces.accepts(nonce, MINUTE + seconds)).toBe(expected)
    nonces.current(MINUTE + 3600)
    expect(nonces.accepts(nonce, MINUTE + seconds)).toBe(expected)
  })

  it('of another key is refused, and so is any other text', () => {
    const other = dpopNonces(new Uint8Array(32).fill(8))
    expect(nonces.accepts(other.current(MINUTE), MINUTE)).toBe(false)
    for (const text of ['', 'null', 'undefined', nonces.current(MINUTE).slice(0, -1)])
      expect(nonces.accepts(text, MINUTE)).toBe(false)
  })

  it('does not change with the bytes that the caller keeps', () => {
    const bytes = Uint8Array.from(KEY)
    const own = dpopNonces(bytes)
    bytes.fill(0)
    expect(own.current(MINUTE)).toBe(nonces.current(MINUTE))
  })
})

it('a key that is too short is refused', () => {
  expect(() => dpopNonces(new Uint8Array(31))).toThrow('dpopNonces: give 32 bytes or more')
})
