/** Password hashing: argon2id in PHC strings, off the event loop, never more than a few at a time. */

import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { createGate, type Turn } from './gate.js'

/** Bring another one to check hashes of an older system. */
export interface Passwords {
  /** @throws BusyError when too many wait already. */
  hash(password: string, turn?: Turn): Promise<string>
  /**
   * False for a null hash, at the price of a real check: a login must not tell by its duration whether an account
   * exists.
   * @throws BusyError when too many wait already.
   */
  verify(hash: string | null, password: string, turn?: Turn): Promise<boolean>
  /** True when the hash is weaker than a new one would be. */
  stale(hash: string): boolean
}

/** Minimum of a new password (NIST SP 800-63B §5.1.1.2); there are no rules about its composition. */
export const MIN_PASSWORD_LENGTH = 8
/** Characters. More are refused before any work is done. */
export const MAX_PASSWORD_LENGTH = 1024

/** OWASP's recommendation for argon2id; memory in KiB. */
const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const ARGON2ID = 2
const ARGON2_VERSION_13 = 1
/** Of random bytes that were thrown away, at the same cost. */
const UNKNOWN_USER_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$NplNg9EMZEUxCiWH1CKzAg$PuThrynO35v9R+8ZNtyk2dLsU02LeSXPylHPphl0+BE'

/** Node has four threads for such work. One stays free, for files and host names. */
const MAX_CONCURRENT_HASHES = 3
/** Of the places in the queue, the part for those that are known by their device or session. */
const RESERVED_QUEUE_SHARE = 1 / 4

/**
 * @param size `concurrent`: hashes at a time, one per processor and at most 3 by default; `waiting`: how many may queue
 * (64), beyond which BusyError is thrown.
 */
export function argon2Passwords(size: { concurrent?: number; waiting?: number } = {}): Passwords {
  const { concurrent = Math.min(MAX_CONCURRENT_HASHES, availableParallelism()), waiting = 64 } = size
  const gate = createGate({ concurrent, waiting, reserved: Math.floor(waiting * RESERVED_QUEUE_SHARE) })
  return {
    hash: (password, turn) => gate.run(() => hash(prepare(password), ARGON2_COST), turn),
    async verify(stored, password, turn) {
      const known = stored?.startsWith('$argon2') ? stored : null
      const right = await gate.run(
        () => verify(known ?? UNKNOWN_USER_HASH, prepare(password)).catch(() => false),
        turn,
      )
      return known !== null && right
    },
    stale,
  }
}

/** RFC 8265 §4.2.2: spaces of other scripts become U+0020, then NFC. Nothing is trimmed. */
const prepare = (password: string): string => password.replace(/\p{Zs}/gu, ' ').normalize('NFC')

function stale(stored: string): boolean {
  if (!stored.startsWith('$argon2id$')) return true
  try {
    const { algorithm, version, memoryCost, timeCost } = parseOptions(stored)
    const current = algorithm === ARGON2ID && version === ARGON2_VERSION_13
    return !current || memoryCost < ARGON2_COST.memoryCost || timeCost < ARGON2_COST.timeCost
  } catch {
    return true
  }
}

/** Why this cannot become somebody's password, or null. */
export function passwordFault(password: string): string | null {
  const length = [...prepare(password)].length
  if (length < MIN_PASSWORD_LENGTH) return `the password has fewer than ${MIN_PASSWORD_LENGTH} characters`
  return password.length > MAX_PASSWORD_LENGTH
    ? `the password has more than ${MAX_PASSWORD_LENGTH} characters`
    : null
}
