/** Password hashing: argon2id in PHC strings, off the event loop, a limited number at a time. */

import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { parseArgon2Hash } from './argon2-hash.js'
import { createGate, type PasswordCaller, type PasswordLoad } from './gate.js'

/** Hashes and verifies passwords. `@ostiary/password-hashes` has one for the hashes of an older system. */
export interface PasswordHasher {
  /** @throws BusyError when too many are waiting. */
  hash(password: string, caller?: PasswordCaller): Promise<string>
  /**
   * Returns false for a null hash, but only after the work of a real verification: the time of a sign-in must not tell
   * whether the account exists.
   * @throws BusyError when too many are waiting.
   */
  verify(hash: string | null, password: string, caller?: PasswordCaller): Promise<boolean>
  /** True when a new hash of the same password would be stronger. */
  stale(hash: string): boolean
}

/** The built-in hasher. */
export interface QueuedPasswordHasher extends PasswordHasher {
  /** As `verify`, for a hash that `check` verifies. When the password is wrong, the work of a real verification follows. */
  verifyBy(
    check: () => Promise<boolean>,
    login: { password: string; caller?: PasswordCaller | undefined },
  ): Promise<boolean>
  /** How many checks run and wait. */
  load(): PasswordLoad
  /**
   * Loads the native module of argon2, which `hash` and `verify` would load with the first password.
   * @throws PasswordModuleError when it is not installed, or is another machine's.
   */
  ready(): Promise<void>
}

/** The native module that hashes passwords cannot be loaded. The message says what to do. */
export class PasswordModuleError extends Error {
  /** A sentence without a full stop. */
  readonly fault: string
  /** What to do about it. */
  readonly advice: string

  constructor(cause: unknown) {
    // The loader's message goes on with lines about the bugs of package managers.
    const [reason] = String((cause as Error | null)?.message).split(/[.\n]/, 1)
    const fault = `passwords cannot be checked: @node-rs/argon2 cannot be loaded on ${process.platform} ${process.arch} (${reason})`
    const advice = 'Install the packages on a machine like this one, with their optional dependencies.'
    super(`${fault}. ${advice}`, { cause })
    this.name = 'PasswordModuleError'
    this.fault = fault
    this.advice = advice
  }
}

/** In characters (NIST SP 800-63B §5.1.1.2). There are no other rules for a password. */
export const MIN_PASSWORD_LENGTH = 8
/** In UTF-16 code units. Longer passwords are refused before they are hashed. */
export const MAX_PASSWORD_LENGTH = 1024

/** OWASP's recommendation for argon2id: 19 MiB (in KiB), 2 passes. */
const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** 1.3, as hashes name it. */
const ARGON2_VERSION = 19
/** The hash of random bytes, with the same cost. */
const UNKNOWN_USER_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$NplNg9EMZEUxCiWH1CKzAg$PuThrynO35v9R+8ZNtyk2dLsU02LeSXPylHPphl0+BE'

let argon2: typeof import('@node-rs/argon2') | undefined

/** Native code in CommonJS: an `import` would also load Node's parser of CommonJS, and takes 14 MB instead of 4. */
function loadArgon2() {
  try {
    argon2 ??= createRequire(import.meta.url)('@node-rs/argon2') as typeof import('@node-rs/argon2')
    return argon2
  } catch (cause) {
    throw new PasswordModuleError(cause)
  }
}

/** Node has four threads for such work; one stays free for files and name resolution. */
const MAX_CONCURRENT_HASHES = 3
/** The share of the queue that is reserved for known devices and sessions. */
const RESERVED_QUEUE_SHARE = 1 / 4

/**
 * Hashes passwords with argon2id.
 * @param size `concurrent`: how many are hashed at once, by default one per processor and at most 3; `waiting`: how many may wait, by
 * default 64, before BusyError is thrown.
 */
export function argon2Passwords(size: { concurrent?: number; waiting?: number } = {}): QueuedPasswordHasher {
  const { concurrent = Math.min(MAX_CONCURRENT_HASHES, availableParallelism()), waiting = 64 } = size
  const gate = createGate({ concurrent, waiting, reserved: Math.floor(waiting * RESERVED_QUEUE_SHARE) })
  return {
    hash: (password, caller) =>
      gate.run(async () => loadArgon2().hash(normalize(password), ARGON2_COST), caller),
    async verify(stored, password, caller) {
      const usable = stored?.startsWith('$argon2') ? stored : null
      const right = await gate.run(() => compare(usable ?? UNKNOWN_USER_HASH, password), caller)
      return usable !== null && right
    },
    verifyBy: (check, { password, caller }) =>
      gate.run(async () => {
        if (await check()) return true
        await compare(UNKNOWN_USER_HASH, password)
        return false
      }, caller),
    stale,
    load: gate.load,
    async ready() {
      loadArgon2()
    },
  }
}

async function compare(hash: string, password: string): Promise<boolean> {
  const { verify } = loadArgon2()
  return verify(hash, normalize(password)).catch(() => false)
}

/** RFC 8265 §4.2.2: other spaces become U+0020, then NFC. Nothing is trimmed. */
const normalize = (password: string): string => password.replace(/\p{Zs}/gu, ' ').normalize('NFC')

function stale(stored: string): boolean {
  const hash = parseArgon2Hash(stored)
  if (hash?.variant !== 'id' || hash.version !== ARGON2_VERSION) return true
  return hash.memory < ARGON2_COST.memoryCost || hash.passes < ARGON2_COST.timeCost
}

/** Why the password is not accepted, or null. */
export function wrongLength(password: string, min = MIN_PASSWORD_LENGTH): 'too_short' | 'too_long' | null {
  const length = [...normalize(password)].length
  if (length < min) return 'too_short'
  return password.length > MAX_PASSWORD_LENGTH ? 'too_long' : null
}

/** The same as a clause of an error message for operators. */
export function passwordFault(password: string, min = MIN_PASSWORD_LENGTH): string | null {
  const fault = wrongLength(password, min)
  if (fault === 'too_short') return `the password has fewer than ${min} characters`
  return fault && `the password has more than ${MAX_PASSWORD_LENGTH} characters`
}
