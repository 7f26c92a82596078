import { expect, it } from 'vitest'
import { secretFault } from './secret-strength.ts'

it.each(['', 'short', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P'])('%j is too short', (secret) =>
  expect(secretFault(secret)).toBe('give at least 32 random characters'),
)

it.each(['x'.repeat(32), 'x'.repeat(1000), 'changeme'.repeat(4), 'abcdefgh'.repeat(4), '0123456'.repeat(5)])(
  '%j repeats itself',
  (secret) => expect(secretFault(secret)).toBe('it repeats few characters: give at least 32 random ones'),
)

it.each([
  '9f86d081884c7d659a2feaa0c55ad015',
  'k8Jq2vX0rN5tYw7ZbC3mLpD9sHfGaEu1QiRoTxVyUz4',
  'correct horse battery staple, and more',
  'abcdefghhgfedcbabdfhacegegcahfdb',
])('%j is a secret', (secret) => expect(secretFault(secret)).toBeNull())
