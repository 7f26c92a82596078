import { personTag, tagOf } from '@ostiary/core'
import { codeOfStep, newTotpSecret } from '@ostiary/totp'
import { describe, expect, it } from 'vitest'
import type { Factor } from '../../users/factor-store.js'
import { createSealer, type SealerSecrets } from '../../web/sealed.js'
import {
  checkTotp,
  newEnrolment,
  newTotpFactor,
  openTotp,
  readEnrolment,
  resealTotp,
  TOTP_ENROLMENT_USE,
  TOTP_SECRET_USE,
} from './totp-factor.js'

const SECRET = 'a secret of this test, 32 characters'
const OTHER = 'another secret of this test, 32 char'
const STEP = 58_000_000
const now = STEP * 30
const context = (use: string, secrets: SealerSecrets = { secret: SECRET }, realm = 'default') => ({
  sealer: createSealer(secrets, use),
  realm,
  now,
})

describe('a factor', () => {
  const c = context(TOTP_SECRET_USE)
  const secret = newTotpSecret()
  const factor = newTotpFactor({ sub: 'ann', label: 'Phone', secret, step: STEP }, c)
  const code = (distance: number) => codeOfStep(secret, STEP + distance)

  it('has the record of its user, without the secret', () => {
    expect(factor).toMatchObject({
      sub: 'ann',
      kind: 'totp',
      label: 'Phone',
      created_at: now,
      last_used_at: null,
      state: String(STEP),
    })
    expect(tagOf(factor.factor_id)).toBe(personTag('ann'))
    for (const form of ['hex', 'base64', 'base64url'] as const)
      expect(JSON.stringify(factor)).not.toContain(secret.toString(form))
    const again = newTotpFactor({ sub: 'ann', label: 'Phone', secret, step: STEP }, c)
    expect(again.factor_id).not.toBe(factor.factor_id)
  })

  it('opens to its secret', () => {
    expect(openTotp(factor, c)).toEqual({ secret, is_current: true })
  })

  it('takes the code of a later step, and says the next state', () => {
    expect(checkTotp(factor, code(1), c)).toEqual({ next_state: String(STEP + 1) })
  })

  it('does not take the code of its enrolment, an earlier one or a wrong one', () => {
    for (const typed of [code(0), code(-1), code(2), '']) expect(checkTotp(factor, typed, c)).toBeNull()
  })

  it('does not take the same code twice', () => {
    const used: Factor = { ...factor, state: checkTotp(factor, code(1), c)?.next_state ?? '' }
    expect(checkTotp(used, code(1), c)).toBeNull()
    expect(checkTotp(used, code(2), { ...c, now: now + 30 })).toEqual({ next_state: String(STEP + 2) })
  })

  it.each<[string, Partial<Factor>]>([
    [
      'another factor',
      { factor_id: newTotpFactor({ sub: 'ann', label: 'Phone', secret, step: STEP }, c).factor_id },
    ],
    ['another user', { sub: 'bob' }],
    ['another kind', { kind: 'recovery' }],
    ['a secret of another form', { data: { secret: 7 } }],
    ['no secret', { data: {} }],
    ['an empty state', { state: '' }],
    ['a state that is no step', { state: '-1' }],
  ])('does not open as that of %s', (_, change) => {
    expect(checkTotp({ ...factor, ...change }, code(1), c)).toBeNull()
  })

  it('does not open in another realm', () => {
    expect(openTotp(factor, context(TOTP_SECRET_USE, { secret: SECRET }, 'two'))).toBeNull()
  })

  it('does not open with a sealer of another use or secret', () => {
    expect(openTotp(factor, context(TOTP_ENROLMENT_USE))).toBeNull()
    expect(openTotp(factor, context(TOTP_SECRET_USE, { secret: OTHER }))).toBeNull()
  })

  it('opens with the previous secret of the provider, and says so', () => {
    const changed = context(TOTP_SECRET_USE, { secret: OTHER, previous_secret: SECRET })
    expect(openTotp(factor, changed)).toEqual({ secret, is_current: false })
    expect(checkTotp(factor, code(1), changed)).not.toBeNull()
  })

  it('is sealed anew with the current secret alone, and keeps the rest of its data', () => {
    const changed = context(TOTP_SECRET_USE, { secret: OTHER, previous_secret: SECRET })
    const data = resealTotp({ ...factor, data: { ...factor.data, more: 1 } }, changed)
    expect(data).toEqual({ secret: expect.any(String), more: 1 })
    const resealed = { ...factor, data: data ?? {} }
    expect(openTotp(resealed, context(TOTP_SECRET_USE, { secret: OTHER }))).toEqual({
      secret,
      is_current: true,
    })
    expect(openTotp(resealed, c)).toBeNull()
    expect(resealTotp(resealed, changed)).toBeNull()
  })

  it.each<[string, Partial<Factor>]>([
    ['of another kind', { kind: 'passkey' }],
    ['of another user', { sub: 'bob' }],
    ['without a secret', { data: {} }],
  ])('is not sealed anew as one %s', (_, change) => {
    const changed = context(TOTP_SECRET_USE, { secret: OTHER, previous_secret: SECRET })
    expect(resealTotp({ ...factor, ...change }, changed)).toBeNull()
  })
})

describe('an enrolment', () => {
  const c = context(TOTP_ENROLMENT_USE)
  const session = { sub: 'ann', sid: 'a session' }
  const { secret, sealed } = newEnrolment(session, c)

  it('carries a new secret of 160 bits', () => {
    expect(secret).toHaveLength(20)
    expect(readEnrolment(sealed, session, c)).toEqual({ secret })
    expect(newEnrolment(session, c).secret).not.toEqual(secret)
    expect(Buffer.from(sealed, 'base64url').includes(secret.toString('base64url'))).toBe(false)
  })

  it.each([
    [600, true],
    [601, false],
  ])('after %s seconds is good: %s', (age, good) => {
    expect(readEnrolment(sealed, session, { ...c, now: now + age }) !== null).toBe(good)
  })

  it.each([
    ['user', { sub: 'bob', sid: 'a session' }, 'default'],
    ['session', { sub: 'ann', sid: 'another' }, 'default'],
    ['realm', session, 'two'],
  ])('of another %s does not open', (_, other, realm) => {
    expect(readEnrolment(sealed, other, { ...c, realm })).toBeNull()
  })

  it('is neither a factor nor made of one, and no other text', () => {
    const factor = newTotpFactor({ sub: 'ann', label: '', secret, step: 1 }, context(TOTP_SECRET_USE))
    const from_factor = { sub: 'ann', sid: factor.factor_id }
    expect(readEnrolment(String(factor.data.secret), from_factor, c)).toBeNull()
    for (const text of ['', 'x', sealed.slice(1)]) expect(readEnrolment(text, session, c)).toBeNull()
  })
})
