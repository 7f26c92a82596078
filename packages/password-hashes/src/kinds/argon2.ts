/** Argon2 with any parameters, as its own tool, PHP, Python and Keycloak write it. */

import { createRequire } from 'node:module'
import { costFault, type HashReader, notOfForm, numberOf } from '../older-hash.js'

/** In KiB. Ten times the memory of an own hash. */
const MAX_ARGON2_MEMORY = 194_560
/** Memory in KiB, times passes. The time depends on this product. */
const MAX_ARGON2_WORK = 583_680
const MAX_ARGON2_LANES = 16

const FORM = '$argon2id$v=19$m=…,t=…,p=…$salt$hash, or argon2i or argon2d'
const PATTERN =
  /^\$argon2(?:id|i|d)\$v=(?:16|19)\$m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,8})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,86}$/

export const argon2: HashReader = (text) => {
  const [, ...numbers] = PATTERN.exec(text) ?? []
  const [memory = 0, passes = 0, lanes = 0] = numbers.map(numberOf)
  // Argon2 needs 8 KiB for each lane (RFC 9106 §3.1).
  if (!(passes >= 1 && lanes >= 1 && memory >= 8 * lanes)) return notOfForm(FORM)
  const fault = costFault([
    { of: 'argon2: m, the memory in KiB,', value: memory, most: MAX_ARGON2_MEMORY },
    { of: 'argon2: p, the number of lanes,', value: lanes, most: MAX_ARGON2_LANES },
    { of: 'argon2: m × t, memory times passes,', value: memory * passes, most: MAX_ARGON2_WORK },
  ])
  if (fault !== null) return fault
  return {
    verify: (password) =>
      library()
        .verify(text, password)
        .catch(() => false),
  }
}

/** As in identity: an `import` of native code in CommonJS would also load Node's parser of CommonJS. */
const library = (): typeof import('@node-rs/argon2') =>
  createRequire(import.meta.url)('@node-rs/argon2') as typeof import('@node-rs/argon2')
