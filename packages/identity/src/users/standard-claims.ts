/** The types of the standard claims (OpenID Connect Core §5.1). */

import type { Claims } from '@ostiary/core'

const STANDARD_CLAIMS: ReadonlyMap<string, 'string' | 'boolean' | 'number' | 'object'> = new Map([
  ...strings('name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username'),
  ...strings('profile', 'picture', 'website', 'email', 'gender', 'birthdate', 'zoneinfo', 'locale'),
  ...strings('phone_number'),
  ['email_verified', 'boolean'],
  ['phone_number_verified', 'boolean'],
  ['updated_at', 'number'],
  ['address', 'object'],
])

function strings(...names: string[]): [string, 'string'][] {
  return names.map((name) => [name, 'string'])
}

/** A clause about the first standard claim of the wrong type, or null. Other claims may have any type. */
export function claimFault(claims: Claims): string | null {
  for (const [name, value] of Object.entries(claims)) {
    if (name.startsWith('$')) return `the name of a claim must not begin with $, as ${name} does`
    const type = STANDARD_CLAIMS.get(name)
    if (type === undefined || value === null) continue
    const is_valid = type === 'object' ? isAddress(value) : typeof value === type
    if (!is_valid) return `${name} must be ${type === 'object' ? 'an object of strings' : `a ${type}`}`
  }
  return null
}

const isAddress = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((part) => typeof part === 'string')
