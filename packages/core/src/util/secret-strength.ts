/** The provider's secret (OIDC_SECRET) encrypts the private keys, so a placeholder is refused. */

export const MIN_SECRET_LENGTH = 32
/** 128 random bits in base64url: a client's secret is stored as a fast hash, so a short one could be guessed from it. */
export const MIN_CLIENT_SECRET_LENGTH = 22

/** What is wrong with the secret of a client, or null. */
export const clientSecretFault = (secret: string): string | null =>
  secret.length < MIN_CLIENT_SECRET_LENGTH
    ? `give at least ${MIN_CLIENT_SECRET_LENGTH} random characters`
    : null

/** A SHA-256 in base64url: the last of its characters has two bits that are zero. */
const SECRET_HASH = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** What is wrong with the hash of a client's secret, or null. */
export const secretHashFault = (hash: string): string | null =>
  SECRET_HASH.test(hash)
    ? null
    : 'give the SHA-256 of the secret in base64url without padding: 43 characters, as an export has it'

/** 32 random hexadecimal digits, the smallest usual alphabet, have fewer in one of 25 million cases. */
const MIN_DISTINCT_CHARACTERS = 8
const REPEATED_BLOCK = /^(.{8})\1{3}/s

/** What is wrong with the secret, or null. */
export function secretFault(secret: string): string | null {
  if (secret.length < MIN_SECRET_LENGTH) return `give at least ${MIN_SECRET_LENGTH} random characters`
  if (new Set(secret).size >= MIN_DISTINCT_CHARACTERS && !REPEATED_BLOCK.test(secret)) return null
  return `it repeats few characters: give at least ${MIN_SECRET_LENGTH} random ones`
}
