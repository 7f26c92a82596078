/** What a log may show of a value that a client has sent: a user may have pasted a secret into the wrong field. */

/** Characters of a value, and of all values of one refusal, in an event. */
export const MAX_SENT_CHARACTERS = 128
/** As much as a key of AES-128: such a word cannot be guessed, so it is not a name. */
const SECRET_BITS = 128
/** A longer value is not examined, and not shown. */
const MAX_EXAMINED_CHARACTERS = 4096

/** Of this server: a JWT (tokens, assertions, proofs), and 256 bits in base64url (secrets, codes, refresh tokens). */
const OWN_FORMATS = [/(?:^|[^\w-])eyJ[\w-]{8,}/, /(?:^|[^\w-])[\w-]{43}(?:$|[^\w-])/]
/** RFC 9562 §5.4: 122 of its bits are random. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
const UUID_BITS = 122
/** Of a letter in a text of words (Shannon 1951). */
const WORD_BITS = 1.5

/** Whether a value has the form of a secret of this server, or a word with 128 bits of entropy. */
export function looksSecret(value: string): boolean {
  if (value.length > MAX_EXAMINED_CHARACTERS || OWN_FORMATS.some((format) => format.test(value))) return true
  return value.split(/\s+/).some((word) => entropyOf(word) >= SECRET_BITS)
}

function entropyOf(word: string): number {
  const uuids = word.match(UUID)?.length ?? 0
  const runs = word.replace(UUID, ' ').match(/[\w-]+/g) ?? []
  return uuids * UUID_BITS + runs.reduce((bits, run) => bits + bitsOf(run), 0)
}

/** Of characters of base64url: as many as random ones have, if half of the pieces are no words. */
function bitsOf(run: string): number {
  const pieces = run.match(/[A-Za-z0-9]+/g) ?? []
  const lengthOf = (some: readonly string[]) => some.reduce((sum, piece) => sum + piece.length, 0)
  const letters = lengthOf(pieces)
  const is_random = lengthOf(pieces.filter((piece) => !isNatural(piece))) * 2 > letters
  return is_random ? run.length * Math.log2(alphabetOf(run)) : letters * WORD_BITS
}

/** In words and names, letters of one case, or digits, follow each other; in random texts they alternate. */
function isNatural(piece: string): boolean {
  const parts = piece.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []
  return parts.every((part) => part.length <= 20) && piece.length / parts.length >= 4
}

function alphabetOf(piece: string): number {
  if (/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(piece)) return /^\d+$/.test(piece) ? 10 : 16
  const classes = [/[a-z]/, /[A-Z]/].filter((letters) => letters.test(piece)).length
  return classes * 26 + (/\d/.test(piece) ? 10 : 0) + (/[-_]/.test(piece) ? 2 : 0)
}

/** At most 128 printable characters. */
export const printable = (text: string): string =>
  text.slice(0, MAX_SENT_CHARACTERS).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')

/** A value for an event; only its length, if it looks like a secret. */
export const shownValue = (value: string): string =>
  looksSecret(value) ? `(${value.length} characters, not shown: they look like a secret)` : printable(value)
