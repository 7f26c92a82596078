/** Names of clients: shown to people beside a sentence of ours, so they must not pass for one. */

const MAX_NAME_LENGTH = 255

/**
 * Format, control, surrogate and private-use characters: they turn text around, hide it, or cannot be stored. A zero-width
 * joiner is one of them.
 */
const INVISIBLE_CHARACTER = /[\p{Cf}\p{Cc}\p{Cs}\p{Co}]/u
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** Why a text cannot be the name of any client, or null. */
export function clientNameFault(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH) return `is longer than ${MAX_NAME_LENGTH} characters`
  if (INVISIBLE_CHARACTER.test(name)) return 'holds a control, format, surrogate or private-use character'
  return LETTER_OR_DIGIT.test(name) ? null : 'has no letter and no digit'
}
