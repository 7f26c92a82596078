/** The code: how it is made, shown and read. */

import { randomInt } from 'node:crypto'

/** Without vowels there are no words, and no letter is like a digit. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
/** 20 letters, 8 times: 34 bits. */
const LENGTH = 8

export const newCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** In two halves, as it is mailed. */
export const shownCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`

const CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/

/** In upper or lower case, wide letters too, with spaces and hyphens. Null for what cannot be a code. */
export function readCode(text: string): string | null {
  const code = text
    .slice(0, MAX_TYPED_CHARACTERS)
    .normalize('NFKC')
    .replace(/[\s\p{Pd}\u200b]+/gu, '')
    .toUpperCase()
  return CODE.test(code) ? code : null
}

export const MAX_TYPED_CHARACTERS = 40
