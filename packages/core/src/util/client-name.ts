/** Names of clients. Pages show them inside sentences, so a name must not be able to look like a part of the page. */

const MAX_NAME_LENGTH = 255

/**
 * Format, control, surrogate and private-use characters, the zero-width joiner included: they reverse text, hide it, or
 * cannot be stored. Then those of every other category that are drawn as nothing, or end the line.
 */
const INVISIBLE_CHARACTER = /[\p{Cf}\p{Cc}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u
/** They push the rest of a name out of sight. */
const SPACES = /\p{Zs}\p{Zs}/u
/** They are drawn over the lines above and below. No language needs more than two on one letter. */
const STACKED_MARKS = /\p{M}\p{M}\p{M}/u
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** What is wrong with a client's name, or null. */
export function clientNameFault(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH) return `is longer than ${MAX_NAME_LENGTH} characters`
  if (INVISIBLE_CHARACTER.test(name))
    return 'holds a control, format, surrogate or private-use character, or another one that is not drawn'
  if (SPACES.test(name)) return 'has more than one space in a row'
  if (STACKED_MARKS.test(name)) return 'has more than two combining marks in a row'
  return LETTER_OR_DIGIT.test(name) ? null : 'has no letter and no digit'
}
