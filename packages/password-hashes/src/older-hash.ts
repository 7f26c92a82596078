/** A hash that another system has made, and what all kinds of them have in common. */

/** A hash that is verified here, with its costs checked. */
interface OlderHash {
  /** Does the work of one verification, off the event loop. @param password As it was typed. Not empty. */
  verify(password: string): Promise<boolean>
}

/** Why a text is no hash that is verified: a clause, without the text itself. */
export interface HashFault {
  fault: string
}

/** Reads the text of a hash. */
export type HashReader = (text: string) => OlderHash | HashFault

/** The fault of a text that is not of the form. */
export const notOfForm = (form: string): HashFault => ({ fault: `it is not of the form ${form}` })

/** A number of a hash, and the largest one with which it is verified. */
export interface Cost {
  /** The kind of the hash, and the parameter as it is named there. */
  of: string
  value: number
  most: number
}

/** The fault of the first cost that is too high; null when none is. */
export function costFault(costs: readonly Cost[]): HashFault | null {
  const excess = costs.find(({ value, most }) => value > most)
  if (excess === undefined) return null
  const { of, value, most } = excess
  return { fault: `${of} is ${value}, and at most ${most} is verified here` }
}

/** A whole number without leading zeros, so that a hash has one text. @param text Digits. */
export function numberOf(text: string | undefined): number {
  const number = Number(text)
  return String(number) === text ? number : Number.NaN
}

/** The bytes of a text in base64 without `=`; null for a text that an encoder does not write. */
export function bytesOfBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64').replaceAll('=', '') === text ? bytes : null
}

/** The same with `=` at the end. */
export function bytesOfPadded(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}
