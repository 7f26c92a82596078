/** A hash that costs much more than one of ours is neither imported nor verified. */

import { createRequire } from 'node:module'
import { argon2Passwords } from '@ostiary/identity'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { passwordHashFault, withOlderHashes } from '../src/index.js'

const SALT = 'AAECAwQFBgcICQoLDA0ODw'
const key = (characters: number) => 'A'.repeat(characters)
const argon2 = (costs: string, variant = 'id') => `$argon2${variant}$v=19$${costs}$${SALT}$${key(43)}`
const bcrypt = (cost: string) => `$2b$${cost}$H8CKUZP1O1sZWHXSuKyPHuLJItTxcLeJDRhjgBPwSfEmNbG.xz/8G`
const scrypt = (costs: string) => `$scrypt$${costs}$${SALT}$${key(43)}`
const firebase = (costs: string) => `$firebase-scrypt$${costs}$${SALT}$Bw$${key(86)}$${key(86)}`
const pbkdf2 = (digest: string, iterations: number, characters: number) =>
  `$pbkdf2-${digest}$${iterations}$${SALT}$${key(characters)}`
const django = (iterations: number) => `pbkdf2_sha256$${iterations}$salt$${key(43)}=`

/** The hash with each cost at its limit, and the first one above it. */
const LIMITS: [string, at: string, above: string, fault: string][] = [
  [
    'argon2, memory',
    argon2('m=194560,t=3,p=1'),
    argon2('m=194561,t=1,p=1'),
    'argon2: m, the memory in KiB, is 194561, and at most 194560 is verified here',
  ],
  [
    'argon2, memory times passes',
    argon2('m=1024,t=570,p=1', 'd'),
    argon2('m=1024,t=571,p=1', 'i'),
    'argon2: m × t, memory times passes, is 584704, and at most 583680 is verified here',
  ],
  [
    'argon2, lanes',
    argon2('m=1024,t=1,p=16'),
    argon2('m=1024,t=1,p=17'),
    'argon2: p, the number of lanes, is 17, and at most 16 is verified here',
  ],
  ['bcrypt', bcrypt('12'), bcrypt('13'), 'bcrypt: the cost is 13, and at most 12 is verified here'],
  [
    'scrypt',
    scrypt('ln=16,r=12,p=1'),
    scrypt('ln=16,r=13,p=1'),
    'scrypt: 2^ln × r × p is 851968, and at most 786432 is verified here',
  ],
  [
    'scrypt, parallelism',
    scrypt('ln=14,r=8,p=6'),
    scrypt('ln=14,r=8,p=7'),
    'scrypt: 2^ln × r × p is 917504, and at most 786432 is verified here',
  ],
  [
    'firebase-scrypt',
    firebase('ln=16,r=12'),
    firebase('ln=17,r=8'),
    'firebase-scrypt: 2^ln × r × p is 1048576, and at most 786432 is verified here',
  ],
  [
    'pbkdf2-sha1',
    pbkdf2('sha1', 1_250_000, 27),
    pbkdf2('sha1', 1_250_001, 27),
    'pbkdf2-sha1: the number of iterations is 1250001, and at most 1250000 is verified here',
  ],
  [
    'pbkdf2-sha256',
    pbkdf2('sha256', 1_250_000, 43),
    pbkdf2('sha256', 1_250_001, 43),
    'pbkdf2-sha256: the number of iterations is 1250001, and at most 1250000 is verified here',
  ],
  [
    'pbkdf2-sha256, two blocks',
    pbkdf2('sha256', 625_000, 86),
    pbkdf2('sha256', 625_001, 86),
    'pbkdf2-sha256: the number of iterations, times 2 for a hash of 64 bytes, is 1250002, and at most 1250000 is verified here',
  ],
  [
    'pbkdf2-sha512',
    pbkdf2('sha512', 500_000, 86),
    pbkdf2('sha512', 500_001, 86),
    'pbkdf2-sha512: the number of iterations is 500001, and at most 500000 is verified here',
  ],
  [
    'Django',
    django(1_250_000),
    django(1_250_001),
    'pbkdf2-sha256: the number of iterations is 1250001, and at most 1250000 is verified here',
  ],
]

it.each(LIMITS)(
  '%s: the limit is accepted, and what is above it is refused',
  async (_, ...[at, above, fault]) => {
    expect(await passwordHashFault(at)).toBeNull()
    expect(await passwordHashFault(above)).toBe(fault)
  },
)

it.each([
  ['an argon2 hash of 4 GiB', argon2('m=4194304,t=1,p=1')],
  ['numbers beyond all limits', argon2('m=9999999999,t=9999999999,p=99999999')],
  ['bcrypt of an hour', bcrypt('31')],
  ['scrypt of 2^99', scrypt('ln=99,r=9999,p=9999')],
  ['iterations without end', pbkdf2('sha256', 9_999_999_999, 43)],
])('%s is refused', async (_, hash) => {
  expect(await passwordHashFault(hash)).toContain('is verified here')
})

it('scrypt verifies at the limit: 96 MiB', async () => {
  // By hashlib of Python 3.11.
  const hash = '$scrypt$ln=16,r=12,p=1$AAECAwQFBgcICQoLDA0ODw$dhpQnCRz9itoa78Ctez3Gy52i4Y+H0MCf+/yN0mpQRs'
  expect(await withOlderHashes(argon2Passwords()).verify(hash, 'correct horse')).toBe(true)
})

describe('a stored hash above a limit', () => {
  const require = createRequire(import.meta.url)
  const libraries: [typeof import('@node-rs/argon2'), typeof import('@node-rs/bcrypt')] = [
    require('@node-rs/argon2'),
    require('@node-rs/bcrypt'),
  ]
  beforeAll(() => argon2Passwords().ready())
  afterEach(() => void vi.restoreAllMocks())

  it.each(LIMITS)('of %s costs one own verification, and no other', async (_, _at, above) => {
    const verified = libraries.map((library) => vi.spyOn(library, 'verify'))
    expect(await withOlderHashes(argon2Passwords()).verify(above, 'correct horse')).toBe(false)
    const asked = verified.flatMap(({ mock }) => mock.calls.map(([hash]) => String(hash)))
    expect(asked).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)])
  })

  it('opens no account, with its password either', async () => {
    // By PHP 8.2, with cost 13.
    const hash = '$2y$13$wtPZqOBaABjecujHe/iwpu4qsxh/qQbxmaCjJ3o5TdJuJj5NbxJq.'
    expect(await passwordHashFault(hash)).toContain('the cost is 13')
    expect(await withOlderHashes(argon2Passwords()).verify(hash, 'correct horse')).toBe(false)
  })
})
