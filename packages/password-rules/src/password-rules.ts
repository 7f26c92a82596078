/** The rules for passwords that users choose (NIST SP 800-63B-4 §3.1.1.2). */

import { ConfigError } from '@ostiary/core/common'
import type { NewPassword, PasswordRealm, PasswordRules } from '@ostiary/identity'
import { type Blocklist, commonPasswords, folded } from './blocklist.js'
import { type CompromisedPort, isCompromised } from './compromised.js'

/** Options of `passwordRules`. */
export interface PasswordRulesOptions {
  /**
   * The fewest characters of a new password: 8 to 64. When absent: 15, and 8 in a realm that requires a second factor. A character is a code
   * point of the password in Unicode's form NFC.
   */
  min_length?: number
  /** Passwords that are refused, beside those of `blocklist`. */
  also_refused?: readonly string[]
  /** Passwords that are refused: `commonPasswords` when absent, which reads a file of this package. */
  blocklist?: Blocklist
  /**
   * Asks a service whether a password is known from a breach; no service is asked when absent. When it fails, or does not answer within two
   * seconds, the password is accepted, and `@ostiary/identity` emits the event `password.unchecked`.
   */
  compromised?: CompromisedPort
}

/** In characters, where the password alone signs in. */
const MIN_LENGTH_ALONE = 15
/** In characters, where every sign-in needs a second factor; and the lowest that an operator may set. */
const MIN_LENGTH_WITH_FACTOR = 8
/** In characters: the highest that an operator may set. Password managers make passwords of this length. */
export const MAX_MIN_LENGTH = 64
/** In characters. A shorter alphabet makes a long password as weak as a short one. */
const MIN_DIFFERENT_CHARACTERS = 5

/**
 * The rules of new passwords, for the option `password_rules` of `createIdentity`: a minimum length, no common password, at least five
 * different characters, and not the name, address, product or host; digits after a common password or a name change nothing. There are no rules of composition.
 * @throws ConfigError when `min_length` is not a whole number from 8 to 64.
 * @example
 * ```ts
 * import { createIdentity, type IdentityOptions } from '@ostiary/identity'
 * import { passwordRules } from '@ostiary/password-rules'
 *
 * declare const options: IdentityOptions
 * export const identity = createIdentity({ ...options, password_rules: passwordRules() })
 * ```
 */
export function passwordRules(options: PasswordRulesOptions = {}): (realm: PasswordRealm) => PasswordRules {
  const { min_length, also_refused = [], blocklist = commonPasswords, compromised } = options
  if (min_length !== undefined && !isMinLength(min_length))
    throw new ConfigError({
      path: 'min_length',
      message: `give a whole number from ${MIN_LENGTH_WITH_FACTOR} to ${MAX_MIN_LENGTH}`,
    })
  const refused = new Set(also_refused.map(folded))
  return ({ issuer, product, second_factor_required }) => ({
    min_length: min_length ?? (second_factor_required ? MIN_LENGTH_WITH_FACTOR : MIN_LENGTH_ALONE),
    async check(candidate) {
      const { password } = candidate
      if (differentCharacters(password) < MIN_DIFFERENT_CHARACTERS) return 'few_characters'
      const compared = folded(password)
      const names = namesOf(candidate, [product, new URL(issuer).hostname])
      if (names.some((name) => isNameWithDigits(compared, name))) return 'own_name'
      // A common word with digits after it is as common.
      for (const word of new Set([compared, withoutDigits(compared)]))
        if (word !== '' && (refused.has(word) || (await blocklist.has(word)))) return 'common'
      if (compromised === undefined) return 'accepted'
      const known = await isCompromised(compromised, password)
      if (known === null) return 'unchecked'
      return known ? 'compromised' : 'accepted'
    },
  })
}

const isMinLength = (value: number): boolean =>
  Number.isInteger(value) && value >= MIN_LENGTH_WITH_FACTOR && value <= MAX_MIN_LENGTH

/** Code points, in the form in which passwords are hashed. */
const differentCharacters = (password: string): number => new Set(password.normalize('NFC')).size

function namesOf({ username, email }: NewPassword, names: readonly (string | null)[]): string[] {
  const own = [username, email].filter((text) => typeof text === 'string')
  const local_parts = own
    .filter((text) => text.includes('@'))
    .map((text) => text.slice(0, text.lastIndexOf('@')))
  return [...own, ...local_parts, ...names].map((name) => folded(name ?? '').trim()).filter(Boolean)
}

/** Without the digits at its end. */
function withoutDigits(text: string): string {
  let end = text.length
  while (end > 0 && isDigit(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9'

/** A name may end with digits itself. */
const isNameWithDigits = (compared: string, name: string): boolean =>
  compared.startsWith(name) && /^\d*$/.test(compared.slice(name.length))
