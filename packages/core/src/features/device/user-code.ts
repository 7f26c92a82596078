/** User codes: RFC 8628 §6.1. */

import type { Random } from '../../util/secret.js'

/** Without vowels, so that no code is a word, and without characters that look like others. */
const CHARACTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8
/** The largest multiple of 20 that a byte can hold: bytes from here on would make some characters likelier. */
const UNBIASED_BYTES = 240

/** 34.5 bits. */
export function newUserCode(random: Random): string {
  let code = ''
  while (code.length < CODE_LENGTH)
    for (const byte of random(CODE_LENGTH - code.length))
      if (byte < UNBIASED_BYTES) code += CHARACTERS[byte % CHARACTERS.length]
  return code
}

/** `WDJBMJHT` as `WDJB-MJHT`. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** The code that was entered: case, spaces and dashes do not count. Null for a text that can be no code. */
export function parseUserCode(entered: string): string | null {
  const code = entered.replace(/[\s\p{Pd}]/gu, '').toUpperCase()
  return code.length === CODE_LENGTH && [...code].every((one) => CHARACTERS.includes(one)) ? code : null
}
