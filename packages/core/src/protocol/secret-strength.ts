/** The provider's secret (OIDC_SECRET) encrypts the private keys, so a placeholder is refused. */

export const MIN_SECRET_LENGTH = 32
/** 32 random hexadecimal digits, the smallest usual alphabet, have fewer in one of 25 million cases. */
const MIN_DISTINCT_CHARACTERS = 8
const REPEATED_BLOCK = /^(.{8})\1{3}/s

/** What is wrong with the secret, or null. */
export function secretFault(secret: string): string | null {
  if (secret.length < MIN_SECRET_LENGTH) return `give at least ${MIN_SECRET_LENGTH} random characters`
  if (new Set(secret).size >= MIN_DISTINCT_CHARACTERS && !REPEATED_BLOCK.test(secret)) return null
  return `it repeats few characters: give at least ${MIN_SECRET_LENGTH} random ones`
}
