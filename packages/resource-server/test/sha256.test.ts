/** SHA-256 against the runtime's own. */

import { describe, expect, it } from 'vitest'
import { sha256 } from '../src/sha256.js'

const expected = async (text: string): Promise<string> => {
  const digest = new DataView(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from({ length: 16 }, (_, i) => String.fromCharCode(digest.getUint16(i * 2))).join('')
}

describe('sha256', () => {
  it('is the runtime’s for every length up to four blocks', async () => {
    const text = Array.from({ length: 256 }, (_, i) => String.fromCharCode(33 + ((i * 7) % 94))).join('')
    for (let length = 0; length <= text.length; length++)
      expect(sha256(text.slice(0, length))).toBe(await expected(text.slice(0, length)))
  })

  it('is the runtime’s for a long token', async () => {
    const text = 'eyJhbGciOiJSUzI1NiJ9.'.repeat(800)
    expect(sha256(text)).toBe(await expected(text))
  })
})
