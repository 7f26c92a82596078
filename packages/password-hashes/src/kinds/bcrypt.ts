/** bcrypt: Auth0, Supabase, PHP, Rails, Spring and others. */

import { createRequire } from 'node:module'
import { costFault, type HashReader, notOfForm } from '../older-hash.js'

/** The time doubles with each step. */
const MAX_BCRYPT_COST = 12

const FORM = '$2b$12$ and 53 characters, or $2a$ or $2y$, as bcrypt writes it'
/** The last characters of salt and hash have unused bits, which are 0: a hash has one text. */
const PATTERN =
  /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/

export const bcrypt: HashReader = (text) => {
  const [, cost] = PATTERN.exec(text) ?? []
  if (cost === undefined) return notOfForm(FORM)
  const fault = costFault([{ of: 'bcrypt: the cost', value: Number(cost), most: MAX_BCRYPT_COST }])
  if (fault !== null) return fault
  return {
    async verify(password) {
      const right = await library().verify(password, text)
      // bcrypt repeats the password with a NUL after it: `a NUL a` has the hash of `a`. It ignores what comes after 72 bytes, as the
      // system did that made the hash.
      return right && !password.includes('\0')
    },
  }
}

/** Only with the first hash of this kind. */
function library(): typeof import('@node-rs/bcrypt') {
  try {
    return createRequire(import.meta.url)('@node-rs/bcrypt') as typeof import('@node-rs/bcrypt')
  } catch (cause) {
    const machine = `${process.platform} ${process.arch}`
    throw new Error(
      `bcrypt hashes cannot be verified: @node-rs/bcrypt cannot be loaded on ${machine}. Install the packages on a machine like this one, with their optional dependencies.`,
      { cause },
    )
  }
}
