/** Lists of passwords that are refused. */

/** A list of passwords. */
export interface Blocklist {
  /** @param folded The password in the form NFKC and in lower case. */
  has(folded: string): boolean | Promise<boolean>
}

/** The form in which passwords are compared: variants of width and case are the same password for a program that guesses. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/**
 * About 49,000 common passwords. The first question reads the file of this package with `node:fs`: give `passwordRules` another list where
 * there is none.
 */
export const commonPasswords: Blocklist = {
  async has(password) {
    const { isCommon } = await import('./common-passwords.js')
    return isCommon(password)
  },
}
