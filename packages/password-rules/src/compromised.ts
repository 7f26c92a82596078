/** Asks a service whether a password is known from a breach, without telling it the password. */

/**
 * Returns the ends of the SHA-1 hashes, in hexadecimal digits, that begin with `sha1_prefix` (5 digits, upper case) and whose passwords are
 * known from a breach: the range query of Have I Been Pwned. `signal` aborts after two seconds.
 */
export type CompromisedPort = (sha1_prefix: string, signal: AbortSignal) => Promise<Iterable<string>>

/** In milliseconds. The user waits for it. */
const COMPROMISED_TIMEOUT = 2000
/** Hexadecimal digits of the hash that the service learns: about one in a million passwords has them. */
const PREFIX_DIGITS = 5
/** Ends that are compared. Have I Been Pwned answers with about 2,000. */
const MAX_SUFFIXES = 20_000

/** Null when the service did not answer in time, failed, or answered with too much: a new password does not depend on another service. */
export async function isCompromised(port: CompromisedPort, password: string): Promise<boolean | null> {
  const hash = await sha1(password)
  const signal = AbortSignal.timeout(COMPROMISED_TIMEOUT)
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    // In a function of its own: what the port throws at once must not leave `ended` alone.
    const answer = (async () => port(hash.slice(0, PREFIX_DIGITS), signal))()
    const suffixes = await Promise.race([answer, ended])
    return includes(suffixes, hash.slice(PREFIX_DIGITS))
  } catch {
    return null
  }
}

function includes(suffixes: Iterable<string>, suffix: string): boolean | null {
  let compared = 0
  for (const other of suffixes) {
    if (compared === MAX_SUFFIXES) return null
    if (other.toUpperCase() === suffix) return true
    compared += 1
  }
  return false
}

/** Of the password as it was typed: that is what was stolen elsewhere. */
async function sha1(password: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(password)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()
}
