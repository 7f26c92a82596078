/** Hashes that other programs have made: their passwords are right, and nothing else is. */

import { argon2Passwords } from '@ostiary/identity'
import { describe, expect, it } from 'vitest'
import { isOwnHash, passwordHashFault, withOlderHashes } from '../src/index.js'
import { PASSWORD, VECTORS } from './_vectors.js'

const passwords = withOlderHashes(argon2Passwords())

/** Every letter of a text in the other case. */
const swapped = (text: string): string =>
  [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('')

/** The part of a hash that is not its parameters: after the last `$` or `}`. */
function changed(hash: string, change: (text: string) => string): string {
  const at = Math.max(hash.lastIndexOf('$'), hash.lastIndexOf('}')) + 1
  return hash.slice(0, at) + change(hash.slice(at))
}

const CHANGES: readonly [string, (text: string) => string][] = [
  ['without its last character', (text) => text.slice(0, -1)],
  ['without its first character', (text) => text.slice(1)],
  ['a third of it', (text) => text.slice(0, text.length / 3)],
  ['in the other case', swapped],
  ['with one more =', (text) => `${text}=`],
  ['without any =', (text) => (text.includes('=') ? text.replaceAll('=', '') : '')],
  ['with one more character', (text) => `${text}A`],
  ['with a line break', (text) => `${text}\n`],
  ['with another first character', (text) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)],
]

describe.each(VECTORS)('%s, %j: %s', (_, password, hash) => {
  it('is accepted, and replaced at the next sign-in', async () => {
    expect(await passwordHashFault(hash)).toBeNull()
    expect(isOwnHash(hash)).toBe(false)
  })

  it('has one password', async () => {
    expect(await passwords.verify(hash, password)).toBe(true)
    const wrong = ['', `${password} `, swapped(password), password.slice(1)]
    expect(await Promise.all(wrong.map((each) => passwords.verify(hash, each)))).toEqual(
      wrong.map(() => false),
    )
  })
})

/** Verifying one of the others takes a tenth of a second and more. */
const QUICK = VECTORS.filter(([, , hash]) => !/^\$2y\$1|m=65536|ln=14/.test(hash))

it.each(QUICK)('%s, %j: %s has no password when its text is changed', async (_, password, hash) => {
  const found = CHANGES.map(async ([name, change]) => {
    const other = changed(hash, change)
    expect(other, name).not.toBe(hash)
    return [name, await passwords.verify(other, password)]
  })
  expect(await Promise.all(found)).toEqual(CHANGES.map(([name]) => [name, false]))
})

it('each text of a hash is the only one of its bytes', async () => {
  // The last characters have two, four or six bits that belong to no byte; here they are not 0.
  const spellings = [
    '$2b$04$H8CKUZP1O1sZWHXSuKyPHvLJItTxcLeJDRhjgBPwSfEmNbG.xz/8G',
    '$2b$04$H8CKUZP1O1sZWHXSuKyPHuLJItTxcLeJDRhjgBPwSfEmNbG.xz/8H',
    '$scrypt$ln=10,r=8,p=1$n3OOca5Vag2BsHZuDQHgvA$zkWOWT3v4TQMCBjzk3iy6KYcdlWDzJGV4OyH33j1BMt',
    '$pbkdf2-sha256$1000$L2WMkbL23hsjpJSSUirFeB$b3oPNJRSlVpkmwM8UMLzKBhqWkcn5EaWY3J9TVVXmpU',
    'pbkdf2_sha256$1000$v6JKEEoXNwPZ$TDEYI31xtCZpm3cYwVCVuUPwQz9WyIXpcUaNOvKPVZd=',
    '{SSHA256}LFq0otLkDKENl1SaoNqRAKVEju14Gp+bySXyq1W2GQI2xlgLoZRSqh==',
  ]
  for (const hash of spellings) {
    expect(await passwordHashFault(hash), hash).toContain('not of the form')
    expect(await passwords.verify(hash, PASSWORD), hash).toBe(false)
  }
})

describe('bcrypt', () => {
  /** By python3-bcrypt 3.2: of 72 times x. */
  const LONG = '$2b$04$0Cvt8wR.gmkdMPxlpX6p/OloYrGtP.Nx62K3FkhsekrqKm.TwbEC.'

  it('has read 72 bytes of a password, so the rest is not compared', async () => {
    const x = (count: number) => 'x'.repeat(count)
    for (const password of [x(72), x(73), `${x(72)}y`, x(1024)])
      expect(await passwords.verify(LONG, password)).toBe(true)
    for (const password of [x(71), `${x(71)}y`, `${x(71)}ä`])
      expect(await passwords.verify(LONG, password)).toBe(false)
  })

  it('does not take a repeated password with a NUL for the password', async () => {
    const hash = '$2b$04$H8CKUZP1O1sZWHXSuKyPHuLJItTxcLeJDRhjgBPwSfEmNbG.xz/8G'
    expect(await passwords.verify(hash, `${PASSWORD}\0${PASSWORD}`)).toBe(false)
    expect(await passwords.verify(hash, `${PASSWORD}\0`)).toBe(false)
  })

  it('does not verify $2x$, the hashes of a faulty implementation', async () => {
    const hash = '$2x$04$H8CKUZP1O1sZWHXSuKyPHuLJItTxcLeJDRhjgBPwSfEmNbG.xz/8G'
    expect(await passwordHashFault(hash)).toContain('not of the form')
    expect(await passwords.verify(hash, PASSWORD)).toBe(false)
  })
})

describe('the empty password', () => {
  it.each([
    ['python3-bcrypt 3.2', '$2b$04$fOcTM/cYpOD9VLJjDGAbEO6vNhjhok5SEmxoay4rWxqU3duqBDUhy'],
    ['passlib 1.7', '{SSHA}3GKmSDT8iVSw7BP536nOEN4t8C5xbq1V'],
  ])('opens no account, even where %s has made a hash of it', async (_, hash) => {
    expect(await passwordHashFault(hash)).toBeNull()
    for (const password of ['', '\0', ' ']) expect(await passwords.verify(hash, password)).toBe(false)
  })
})

describe('the start of a longer hash', () => {
  // By hashlib of Python 3.11. The start of a key is the key of that length, so each would have the password.
  it.each([
    [
      'pbkdf2, 63 bytes',
      '$pbkdf2-sha512$1000$AAECAwQFBgcICQoLDA0ODw$Xpx07WjVx4vCIvrmBRj8uOoVVtGqJqtUv2J5bhizSQs7osCteF7W4A61dZDqSIqQjO+dxO6p5FT/Uy7QRBXS',
    ],
    [
      'pbkdf2, 31 bytes',
      '$pbkdf2-sha256$1000$AAECAwQFBgcICQoLDA0ODw$yRTMTwbMbo9G0VfjobWqerzuuxe7BETNTErBbKKumA',
    ],
    [
      'scrypt, 48 bytes',
      '$scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$nfkj3u1fRTHCea+fVr03sWV770kp5wLOLoEakziKhqEDnLasp2y2Sy9evUoDq9/a',
    ],
  ])('%s, is refused', async (_, hash) => {
    expect(await passwordHashFault(hash)).toContain('not of the form')
    expect(await passwords.verify(hash, PASSWORD)).toBe(false)
  })
})

describe('the salt of {SSHA}', () => {
  it.each([
    [3, '{SSHA}xbDWZ1/hPX8oiZa6JLnwTFGanuMAAQI=', false],
    [4, '{SSHA}7iDukLr0cKMVvcschxtJyjyMgTgAAQID', true],
    [
      64,
      '{SSHA}j06SoR33JeuXDCYaIbDSyPkiKmwAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PT4/',
      true,
    ],
    [
      65,
      '{SSHA}LJx/zamOB01fbp4R0GAkBLqQbSoAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PT4/QA==',
      false,
    ],
  ])('of %i bytes: %s is accepted: %s', async (_, hash, accepted) => {
    expect((await passwordHashFault(hash)) === null).toBe(accepted)
    expect(await passwords.verify(hash, PASSWORD)).toBe(accepted)
  })
})

it.each([
  ['', 'of no kind'],
  ['plain', 'of no kind'],
  ['correct horse', 'of no kind'],
  // Without a salt, one list of hashes serves for all accounts.
  ['{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=', 'of no kind'],
  ['{ssha}yp0NMycviPuwP7OgZkIJqW/x1QZcS+kd', 'of no kind'],
  ['5f4dcc3b5aa765d61d8327deb882cf99', 'of no kind'],
  ['$1$abcdefgh$irWbblnpmw.5z7wgBnprh0', 'of no kind'],
  ['$6$abcdefgh$x', 'of no kind'],
  ['$argon2id$v=19$m=1024,t=2,p=1$c29tZXNhbHQ4$', 'argon2'],
  [
    '$argon2id$v=18$m=1024,t=2,p=1$c29tZXNhbHQ4$f5mVnsWM8T1p28J9rgNTUO4C7B50K+wgGUGyK1XbI0s',
    'not of the form',
  ],
  ['$argon2id$v=19$m=7,t=2,p=1$c29tZXNhbHQ4$f5mVnsWM8T1p28J9rgNTUO4C7B50K+wgGUGyK1XbI0s', 'not of the form'],
  [
    '$argon2id$v=19$m=1024,t=0,p=1$c29tZXNhbHQ4$f5mVnsWM8T1p28J9rgNTUO4C7B50K+wgGUGyK1XbI0s',
    'not of the form',
  ],
  [
    '$argon2id$v=19$m=01024,t=2,p=1$c29tZXNhbHQ4$f5mVnsWM8T1p28J9rgNTUO4C7B50K+wgGUGyK1XbI0s',
    'not of the form',
  ],
  ['$2b$03$H8CKUZP1O1sZWHXSuKyPHuLJItTxcLeJDRhjgBPwSfEmNbG.xz/8G', 'not of the form'],
  ['$2b$4$H8CKUZP1O1sZWHXSuKyPHuLJItTxcLeJDRhjgBPwSfEmNbG.xz/8G', 'not of the form'],
  ['$pbkdf2-sha256$0$L2WMkbL23hsjpJSSUirFeA$b3oPNJRSlVpkmwM8UMLzKBhqWkcn5EaWY3J9TVVXmpU', 'not of the form'],
  [
    '$pbkdf2-sha256$0100$L2WMkbL23hsjpJSSUirFeA$b3oPNJRSlVpkmwM8UMLzKBhqWkcn5EaWY3J9TVVXmpU',
    'not of the form',
  ],
  [
    '$pbkdf2-sha256$i=1000,l=31$AAECAwQFBgcICQoLDA0ODw$yRTMTwbMbo9G0VfjobWqerzuuxe7BETNTErBbKKumGQ',
    'not of the form',
  ],
  ['$pbkdf2-md5$1000$L2WMkbL23hsjpJSSUirFeA$b3oPNJRSlVpkmwM8UMLzKBhqWkcn5EaWY3J9TVVXmpU', 'not of the form'],
  [
    '$scrypt$ln=0,r=8,p=1$n3OOca5Vag2BsHZuDQHgvA$zkWOWT3v4TQMCBjzk3iy6KYcdlWDzJGV4OyH33j1BMs',
    'not of the form',
  ],
  ['$firebase-scrypt$ln=14,r=8$42xEC+ixf3L2lw$Bw$jxspr8Ki0RY$lSrfV15cpx95', 'not of the form'],
  [`$2b$${'x'.repeat(496)}`, 'not of the form'],
  [`$2b$${'x'.repeat(497)}`, 'longer than 500 characters'],
])('%j is refused, without an error: %s', async (hash, sentence) => {
  const fault = await passwordHashFault(hash)
  expect(fault).toContain(sentence)
  if (hash.length > 30) expect(fault).not.toContain(hash.slice(-20))
  expect(await passwords.verify(hash, PASSWORD)).toBe(false)
})
