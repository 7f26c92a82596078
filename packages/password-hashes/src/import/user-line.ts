/** One line of a file of users: what it may have, and what is wrong with it. */

import {
  type Claims,
  configFaults,
  formatConfigFault,
  isStorableText,
  readBy,
  STANDARD_CLAIM_NAMES,
} from '@ostiary/core'
import { attributesFault, groupsFault, usernameKey } from '@ostiary/identity'
import * as z from 'zod'
import { passwordHashFault } from '../passwords.js'
import { base32Bytes } from './base32.js'
import type { UserLine } from './target.js'

/** The record of a user is read for each request with its token. */
const MAX_CLAIMS_CHARACTERS = 16_384
const MAX_APPS = 5
/** 80 bits, which many systems take; RFC 4226 §4 asks for 128. */
const MIN_SECRET_CHARACTERS = 16
const MAX_SECRET_CHARACTERS = 128
const MAX_LABEL_CHARACTERS = 60

const text = z.string().refine(isStorableText, 'must not contain NUL or an unpaired surrogate')

const totpSchema = z.strictObject({
  secret: z
    .string()
    .min(MIN_SECRET_CHARACTERS)
    .max(MAX_SECRET_CHARACTERS)
    .refine((secret) => base32Bytes(secret) !== null, 'give base32 in capital letters, without = (RFC 4648)'),
  label: text.min(1).max(MAX_LABEL_CHARACTERS).optional(),
})

const ADDRESS_PARTS = ['formatted', 'street_address', 'locality', 'region', 'postal_code', 'country']
const texts = (names: readonly string[]): Record<string, z.ZodType> =>
  Object.fromEntries(names.map((name) => [name, text.optional()]))

/** Adds the fault that a rule of identity finds. */
const ruledBy =
  (rule: (value: unknown) => string | null) =>
  (value: unknown, context: z.RefinementCtx): void => {
    const fault = rule(value)
    if (fault !== null) context.addIssue(fault)
  }

/** The keys of a user of the configuration, with the hash of the password instead of a password. */
const userLineSchema = z.strictObject(
  {
    // The standard claims (OpenID Connect Core §5.1).
    ...texts(STANDARD_CLAIM_NAMES),
    email_verified: z.boolean().optional(),
    phone_number_verified: z.boolean().optional(),
    updated_at: z.int().optional(),
    address: z.strictObject(texts(ADDRESS_PARTS)).optional(),
    username: z
      .string()
      .refine(
        (name) => usernameKey(name) !== null,
        'give 1 to 255 characters, none of them control characters',
      ),
    sub: z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/, 'give 1 to 255 printable ASCII characters without spaces')
      .optional(),
    password_hash: z.string().optional(),
    disabled: z.boolean().optional(),
    attributes: z.record(z.string(), z.unknown()).superRefine(ruledBy(attributesFault)).optional(),
    groups: z.array(z.string()).superRefine(ruledBy(groupsFault)).optional(),
    totp: z.array(totpSchema).max(MAX_APPS).optional(),
  },
  'it is not an object of JSON: give one a line, such as {"username": "ann"}',
)

/** Every key of a line. */
export const USER_KEYS: readonly string[] = Object.keys(userLineSchema.shape)

/** What the realm has. */
export interface RealmSignIn {
  /** Users sign in with passwords. */
  passwords: boolean
  /** Users may have authenticator apps. */
  second_factor: boolean
}

/**
 * Returns what turns the value of a line into a user, or says what is wrong with it: clauses that name the keys.
 * @param realm What it does not have is refused, since it would have no effect.
 */
export function userLineCheck(realm: RealmSignIn): (value: unknown) => Promise<UserLine | string> {
  return async (value) => {
    const parsed = readBy(userLineSchema, value)
    if (!parsed.success)
      return configFaults(parsed.error, '', userLineSchema).map(formatConfigFault).join('; ')
    const { username, sub, password_hash, disabled, attributes, groups, totp = [], ...rest } = parsed.data
    const claims = rest as Claims
    const fault =
      claimsFault(claims) ??
      (password_hash === undefined ? null : await hashFault(password_hash, realm)) ??
      (totp.length === 0 ? null : totpFault(realm))
    if (fault !== null) return fault
    return {
      username: username.trim(),
      // The schema has checked that there is one.
      username_key: usernameKey(username) ?? '',
      sub: sub ?? null,
      password_hash: password_hash ?? null,
      claims,
      // As storage returns it: -0 becomes 0.
      attributes: attributes === undefined ? null : JSON.parse(JSON.stringify(attributes)),
      groups: groups === undefined ? null : [...new Set(groups)],
      disabled: disabled === true,
      totp: totp.map(({ secret, label = 'Authenticator app' }) => ({
        secret: base32Bytes(secret) ?? Buffer.alloc(0),
        label,
      })),
    }
  }
}

const claimsFault = (claims: Claims): string | null =>
  JSON.stringify(claims).length > MAX_CLAIMS_CHARACTERS
    ? `the claims must have at most ${MAX_CLAIMS_CHARACTERS} characters of JSON`
    : null

async function hashFault(hash: string, { passwords }: RealmSignIn): Promise<string | null> {
  if (!passwords) return 'password_hash: users of this realm have no passwords, so leave it out'
  const fault = await passwordHashFault(hash)
  return fault === null ? null : `password_hash: ${fault}`
}

const totpFault = ({ second_factor }: RealmSignIn): string | null =>
  second_factor
    ? null
    : 'totp: the second factor of this realm is off, so that no code would be asked for: turn it on first, or leave totp out'
