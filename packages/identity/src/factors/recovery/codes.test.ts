import { createHash } from 'node:crypto'
import { personTag, tagOf } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import type { Factor } from '../../users/factor-store.js'
import { codesLeft, newRecoveryCodes, useRecoveryCode } from './codes.js'

const { factor, codes } = newRecoveryCodes('ann', 1_000)
const [first = '', second = ''] = codes
const after = (one: Factor, typed: string): Factor => ({
  ...one,
  state: useRecoveryCode(one, typed)?.next_state ?? '',
})

it('makes ten different codes of 16 characters of Crockford base32', () => {
  expect(codes).toHaveLength(10)
  const many = Array.from({ length: 100 }, () => newRecoveryCodes('ann', 1_000).codes).flat()
  expect(new Set(many).size).toBe(1_000)
  const SHAPE = /^[0-9a-hjkmnp-tv-z]{4}(?:-[0-9a-hjkmnp-tv-z]{4}){3}$/
  expect(many.filter((code) => !SHAPE.test(code))).toEqual([])
  // Each of the 32 characters: 5 bits.
  expect(new Set(many.join('').replaceAll('-', '')).size).toBe(32)
})

it('stores their hashes with the factor id as salt, and no code', () => {
  expect(factor).toMatchObject({
    sub: 'ann',
    kind: 'recovery',
    created_at: 1_000,
    last_used_at: null,
    data: {},
  })
  expect(tagOf(factor.factor_id)).toBe(personTag('ann'))
  const hashes = codes.map((code) =>
    createHash('sha256')
      .update(JSON.stringify([factor.factor_id, code.replaceAll('-', '')]))
      .digest('base64url'),
  )
  expect(JSON.parse(factor.state)).toEqual(hashes)
  const stored = JSON.stringify(factor)
  for (const code of codes) {
    expect(stored).not.toContain(code)
    expect(stored).not.toContain(code.replaceAll('-', ''))
  }
})

it('takes each code once, in any order', () => {
  let left = factor
  const counts = codes.toReversed().map((code) => {
    left = after(left, code)
    expect(useRecoveryCode(left, code)).toBeNull()
    return codesLeft(left)
  })
  expect(counts).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
})

it('says how many are left, and removes the used one alone', () => {
  expect(codesLeft(factor)).toBe(10)
  const used = useRecoveryCode(factor, second)
  expect(used?.left).toBe(9)
  const all = JSON.parse(factor.state) as string[]
  expect(JSON.parse(used?.next_state ?? '')).toEqual(all.filter((_, index) => index !== 1))
})

it('takes no code of another set', () => {
  for (const code of newRecoveryCodes('ann', 1_000).codes) expect(useRecoveryCode(factor, code)).toBeNull()
  expect(useRecoveryCode({ ...factor, factor_id: `x${factor.factor_id}` }, first)).toBeNull()
})

it('takes no code for a factor of another kind', () => {
  const other: Factor = { ...factor, kind: 'totp' }
  expect([useRecoveryCode(other, first), codesLeft(other)]).toEqual([null, 0])
})

describe('a typed code', () => {
  const bare = first.replaceAll('-', '')
  /** A factor whose only code is this one. */
  const only = (code: string): Factor => ({
    ...factor,
    state: JSON.stringify([
      createHash('sha256')
        .update(JSON.stringify([factor.factor_id, code]))
        .digest('base64url'),
    ]),
  })

  it.each([
    first,
    bare,
    first.toUpperCase(),
    ` ${first}\n`,
    Array.from(bare).join(' '),
    first.replaceAll('-', ' - '),
    first.replaceAll('-', '\u00a0'),
    `${bare.slice(0, 8)}${' '.repeat(48)}${bare.slice(8)}`,
  ])('%j is read', (typed) => {
    expect(useRecoveryCode(factor, typed)?.left).toBe(9)
  })

  it.each(['o011-illo-abcd-efgh', 'OoIi-LlLo-ABCD-EFGH', '00l1-i1iO-abcd-EFGH'])(
    '%j is read with 0 and 1',
    (typed) => {
      expect(useRecoveryCode(only('00111110abcdefgh'), typed)).toEqual({ next_state: '[]', left: 0 })
    },
  )

  it.each([
    '',
    '-',
    bare.slice(1),
    `${bare}0`,
    `-${bare}`,
    `${bare}-`,
    `${bare}\0`,
    `${first}, ${second}`,
    bare.replace(/.$/, 'u'),
    bare.replace(/.$/, '\u212a'),
    `${bare.slice(0, 8)}${' '.repeat(49)}${bare.slice(8)}`,
    factor.state,
    (JSON.parse(factor.state) as string[])[0] ?? '',
  ])('%j is refused', (typed) => {
    expect(useRecoveryCode(factor, typed)).toBeNull()
  })

  it('is not read with letters of other scripts', () => {
    expect(useRecoveryCode(only('k000000000000000'), '\u212a000000000000000')).toBeNull()
    expect(useRecoveryCode(only('k000000000000000'), 'K000000000000000')).not.toBeNull()
  })
})
