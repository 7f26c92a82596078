import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { acceptedStep, codeOfStep, newTotpSecret, STEP_SECONDS } from '../src/totp.js'

/** Of RFC 6238 Appendix B and RFC 4226 Appendix D. */
const SECRET = Buffer.from('12345678901234567890')

it.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('at %s, has the last 6 digits of the vector %s of RFC 6238 Appendix B', (now, vector) => {
  const code = vector.slice(2)
  const step = Math.floor(now / 30)
  expect(codeOfStep(SECRET, step)).toBe(code)
  expect(acceptedStep(SECRET, code, { now, last_step: 0 })).toBe(step)
})

it('has the values of RFC 4226 Appendix D', () => {
  const codes = Array.from({ length: 10 }, (_, counter) => codeOfStep(SECRET, counter))
  expect(codes.join(' ')).toBe('755224 287082 359152 969429 338314 254676 287922 162583 399871 520489')
})

it('makes secrets of 160 bits that differ', () => {
  const secrets = Array.from({ length: 100 }, () => newTotpSecret())
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(100)
  expect(secrets.filter(({ length }) => length !== 20)).toEqual([])
})

const STEP = 41_152_263
const NOW = STEP * STEP_SECONDS
const accepted = (distance: number, last_step = 0, now = NOW) =>
  acceptedStep(SECRET, codeOfStep(SECRET, STEP + distance), { now, last_step })

describe('the window', () => {
  it.each([
    [-2, null],
    [-1, STEP - 1],
    [0, STEP],
    [1, STEP + 1],
    [2, null],
  ])('of a code %s steps away: %s', (distance, step) => {
    expect(accepted(distance)).toBe(step)
    expect(accepted(distance, 0, NOW + 29)).toBe(step)
  })

  it('moves with the second in which the step begins', () => {
    expect(accepted(-1, 0, NOW + 30)).toBeNull()
    expect(accepted(2, 0, NOW + 30)).toBe(STEP + 2)
    expect(accepted(1, 0, NOW - 1)).toBeNull()
    expect(accepted(-2, 0, NOW - 1)).toBe(STEP - 2)
  })

  it('begins with the time: there is no step before 0', () => {
    const before = codeOfStep(SECRET, -1)
    expect(acceptedStep(SECRET, before, { now: 0, last_step: 0 })).toBeNull()
    expect(acceptedStep(SECRET, codeOfStep(SECRET, 1), { now: 0, last_step: 0 })).toBe(1)
  })
})

describe('a code is good once:', () => {
  it.each([
    [-1, STEP - 2, STEP - 1],
    [-1, STEP - 1, null],
    [-1, STEP, null],
    [0, STEP - 1, STEP],
    [0, STEP, null],
    [0, STEP + 1, null],
    [1, STEP, STEP + 1],
    [1, STEP + 1, null],
  ])('that of %s steps away, after the step %s: %s', (distance, last_step, step) => {
    expect(accepted(distance, last_step)).toBe(step)
  })

  it('also when two steps have the same code', () => {
    // Found by a search: the first step whose code the next one repeats.
    const step = 910_737
    const code = codeOfStep(SECRET, step)
    expect(codeOfStep(SECRET, step + 1)).toBe(code)
    const time = (last_step: number) => ({ now: step * STEP_SECONDS, last_step })
    expect(acceptedStep(SECRET, code, time(0))).toBe(step + 1)
    expect(acceptedStep(SECRET, code, time(step))).toBe(step + 1)
    expect(acceptedStep(SECRET, code, time(step + 1))).toBeNull()
  })
})

describe('the text of a code', () => {
  const code = codeOfStep(SECRET, STEP)
  const [a, b] = [code.slice(0, 3), code.slice(3)]
  const arabic = Array.from(code, (digit) => String.fromCodePoint(0x660 + Number(digit))).join('')
  const fullwidth = Array.from(code, (digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')
  const at = { now: NOW, last_step: 0 }

  it.each([
    `${a} ${b}`,
    ` ${code}\t`,
    `${a}-${b}`,
    `${a} - ${b}`,
    Array.from(code).join(' '),
    `${a}\u00a0${b}`,
    `${a}${' '.repeat(26)}${b}`,
  ])('%j is read', (typed) => {
    expect(acceptedStep(SECRET, typed, at)).toBe(STEP)
  })

  it.each([
    '',
    ' ',
    '------',
    code.slice(1),
    code.slice(0, -1),
    `${code}0`,
    `0${code}`,
    `-${code}`,
    `+${code}`,
    `${code}-`,
    `${code}.0`,
    `${a}.${b}`,
    `${a},${b}`,
    `${a}_${b}`,
    `${a}\0${b}`,
    `${Number(code).toString(16)}`,
    arabic,
    fullwidth,
    `${a}${' '.repeat(27)}${b}`,
    `${code}\n${code}`,
  ])('%j is refused', (typed) => {
    expect(acceptedStep(SECRET, typed, at)).toBeNull()
  })

  it('is read with its leading zeros alone', () => {
    const zero = Array.from({ length: 100 }, (_, index) => STEP + index).find((step) =>
      codeOfStep(SECRET, step).startsWith('0'),
    )
    const step = zero ?? 0
    const time = { now: step * STEP_SECONDS, last_step: 0 }
    const digits = codeOfStep(SECRET, step)
    expect(acceptedStep(SECRET, digits, time)).toBe(step)
    expect(acceptedStep(SECRET, digits.slice(1), time)).toBeNull()
  })
})

/** The same numbers in each run. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

describe('otpauth, in 1,000 steps,', () => {
  const cases = Array.from({ length: 1_000 }, (_, index) => {
    const random = digestOf(`case ${index}`)
    const secret = digestOf(`secret ${index}`).subarray(0, 20)
    const now = random.readUInt32BE(0)
    return { index, secret, now, typed: String(random.readUInt32BE(4) % 1_000_000).padStart(6, '0') }
  })
  const oracle = (secret: Buffer) =>
    new TOTP({
      secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
      algorithm: 'SHA1',
      digits: 6,
      period: 30,
    })

  it.each([
    ['of the current step', 0],
    ['of the previous step', -1],
    ['of the next step', 1],
    ['of two steps before', -2],
    ['of two steps later', 2],
  ])('has the same verdict on the code %s', (_, distance) => {
    const differing = cases.filter(({ secret, now }) => {
      const totp = oracle(secret)
      const token = totp.generate({ timestamp: (now + distance * 30) * 1000 })
      const delta = totp.validate({ token, timestamp: now * 1000, window: 1 })
      const step = acceptedStep(secret, token, { now, last_step: 0 })
      const expected = delta === null ? null : Math.floor(now / 30) + delta
      const right = Math.abs(distance) <= 1
      return step !== expected || (step !== null) !== right
    })
    expect(differing).toEqual([])
  })

  it('has the same verdict on another code', () => {
    const differing = cases.filter(({ secret, now, typed }) => {
      const delta = oracle(secret).validate({ token: typed, timestamp: now * 1000, window: 1 })
      return (delta === null) !== (acceptedStep(secret, typed, { now, last_step: 0 }) === null)
    })
    expect(differing).toEqual([])
  })

  it('has codes with leading zeros, and the same', () => {
    const zeros = cases.filter(({ secret, now }) => {
      const token = oracle(secret).generate({ timestamp: now * 1000 })
      return token.startsWith('0') && acceptedStep(secret, token, { now, last_step: 0 }) !== null
    })
    expect(zeros.length).toBeGreaterThan(50)
  })
})
