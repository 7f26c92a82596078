/** The provider's secret (OIDC_SECRET): it seals the private keys, so a placeholder must not pass for one. */

export const MIN_SECRET_LENGTH = 32
/** Random hexadecimal digits, the smallest usual alphabet, have fewer once in 25 million times. */
const MIN_DISTINCT_CHARACTERS = 8
const REPEATED_BLOCK = /^(.{8})\1{3}/s

/** What is wrong with it, as a sentence; null when nothing is. */
export function secretFault(secret: string): string | null {
  if (secret.length < MIN_SECRET_LENGTH) return `give at least ${MIN_SECRET_LENGTH} random characters`
  if (new Set(secret).size >= MIN_DISTINCT_CHARACTERS && !REPEATED_BLOCK.test(secret)) return null
  return `it repeats few characters: give at least ${MIN_SECRET_LENGTH} random ones`
}
