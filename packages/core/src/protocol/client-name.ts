/** Names of clients. Pages show them inside sentences, so a name must not be able to look like a part of the page. */

const MAX_NAME_LENGTH = 255

/**
 * Format, control, surrogate and private-use characters, the zero-width joiner included: they reverse text, hide it, or
 * cannot be stored.
 */
const INVISIBLE_CHARACTER = /[\p{Cf}\p{Cc}\p{Cs}\p{Co}]/u
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** What is wrong with a client's name, or null. */
export function clientNameFault(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH) return `is longer than ${MAX_NAME_LENGTH} characters`
  if (INVISIBLE_CHARACTER.test(name)) return 'holds a control, format, surrogate or private-use character'
  return LETTER_OR_DIGIT.test(name) ? null : 'has no letter and no digit'
}
