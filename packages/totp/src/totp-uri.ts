/** The secret of an authenticator app as the URI that apps scan, and as text that people type. */

/** Base32 of RFC 4648 §6, without padding. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Bits of a character in base32. */
const CHARACTER_BITS = 5

/** The bytes in base32 without padding (RFC 4648 §6). */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const characters = Array.from({ length: Math.ceil(bits.length / CHARACTER_BITS) }, (_, index) => {
    const five = bits.slice(index * CHARACTER_BITS, (index + 1) * CHARACTER_BITS)
    return ALPHABET.charAt(Number.parseInt(five.padEnd(CHARACTER_BITS, '0'), 2))
  })
  return characters.join('')
}

/** The base32 text in groups of four, for people who type it. Apps ignore the spaces. */
export const groupedSecret = (secret: Uint8Array): string => (base32(secret).match(/.{1,4}/g) ?? []).join(' ')

/** Whose secret it is, as the app shows it. */
export interface TotpLabel {
  /** The product's name and host. */
  issuer: string
  username: string
}

/**
 * How long an issuer or a user name may be when it is percent-encoded: more makes a QR code that cameras cannot read. Longer ones are cut.
 */
const MAX_ENCODED_LENGTH = 180
const ELLIPSIS = '…'

/**
 * `otpauth://totp/<issuer>:<user>?secret=…`, as authenticator apps read it (Key Uri Format of Google Authenticator). All parameters are
 * given, because apps differ in what they take for an absent one. Spaces are `%20`: some apps show a `+`.
 */
export function totpUri(secret: Uint8Array, { issuer, username }: TotpLabel): string {
  const encoded_issuer = encoded(issuer)
  const label = `${encoded_issuer}:${encoded(username)}`
  const parameters = `issuer=${encoded_issuer}&algorithm=SHA1&digits=6&period=30`
  return `otpauth://totp/${label}?secret=${base32(secret)}&${parameters}`
}

/** Percent-encoded; what is too long ends with `…`. */
function encoded(text: string): string {
  // A lone surrogate has no UTF-8.
  const whole = encodeURIComponent(text.replace(/\p{Cs}/gu, '\uFFFD'))
  if (whole.length <= MAX_ENCODED_LENGTH) return whole
  const room = MAX_ENCODED_LENGTH - encodeURIComponent(ELLIPSIS).length
  let kept = ''
  for (const character of text.replace(/\p{Cs}/gu, '\uFFFD')) {
    const next = kept + encodeURIComponent(character)
    if (next.length > room) break
    kept = next
  }
  return kept + encodeURIComponent(ELLIPSIS)
}
