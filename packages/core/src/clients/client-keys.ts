/** The public keys of a client that signs assertions (RFC 7517, RFC 7518 §6, RFC 8037), and the address of such keys. */

import { base64url as decoder } from 'jose'
import type { JsonWebKeySet } from '../storage/records.js'
import { isStorableText } from '../storage/storable-client.js'
import type { AssertionAlgorithm } from '../util/assertion-algorithms.js'
import { base64url } from '../util/base64url.js'
import { documentHostFault } from '../util/client-id-url.js'
import { isLoopbackHost } from '../util/loopback.js'
import { redirectUriFault } from './redirect-uri.js'

/** By `kty` and, after a space, `crv`. */
const KEY_ALGORITHMS: ReadonlyMap<string, readonly AssertionAlgorithm[]> = new Map([
  ['RSA', ['RS256', 'PS256']],
  ['EC P-256', ['ES256']],
  ['OKP Ed25519', ['EdDSA', 'Ed25519']],
])

const MAX_CLIENT_KEYS = 10
const MAX_KID_CHARACTERS = 255
const MIN_RSA_BITS = 2048
/** A longer modulus makes each verification slower, and a stranger chooses it. */
const MAX_RSA_BITS = 4096
/** Exponents of 3 to 4 bytes: 65537, which nearly every library uses, and somewhat larger ones. */
const MIN_RSA_EXPONENT = 65_537
const MAX_EXPONENT_BYTES = 4
const COORDINATE_BYTES = 32

/** Members of private and of symmetric keys (RFC 7518 §6.2.2, §6.3.2, §6.4). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** What is stored of a key, in the order in which jsonb returns it; certificates and unknown members are not. */
const STORED_MEMBERS = ['e', 'n', 'x', 'y', 'alg', 'crv', 'kid', 'kty', 'use', 'key_ops'] as const

type Jwk = Record<string, unknown>

/** Why a key set is not one of public keys that may verify assertions, or null. */
export function clientKeysFault(jwks: unknown): string | null {
  const keys = keysOf(jwks)
  if (keys === null) return 'is not a JWK Set, an object with the list keys'
  if (keys.length === 0) return 'has no key'
  if (keys.length > MAX_CLIENT_KEYS) return `has more than ${MAX_CLIENT_KEYS} keys`
  for (const [index, key] of keys.entries()) {
    const fault = clientKeyFault(key)
    if (fault !== null) return `has a key that is not usable: keys[${index}] ${fault}`
  }
  return null
}

/** The members of a valid key set that are stored. */
export const storedClientKeys = (jwks: JsonWebKeySet): JsonWebKeySet => ({
  keys: jwks.keys.map((key) =>
    Object.fromEntries(
      STORED_MEMBERS.filter((name) => key[name] !== undefined).map((name) => [name, key[name]]),
    ),
  ),
})

/**
 * The usable keys of a set that a client publishes. A set may have further keys, for other uses (RFC 7517 §5). Null when it
 * is no key set, has a private key, or has too many usable keys.
 */
export function publishedClientKeys(jwks: unknown): JsonWebKeySet | null {
  const keys = keysOf(jwks)
  if (keys === null || keys.some((key) => isObject(key) && isPrivate(key))) return null
  const usable = keys.filter((key): key is Jwk => clientKeyFault(key) === null)
  return usable.length > MAX_CLIENT_KEYS ? null : storedClientKeys({ keys: usable })
}

/** The algorithms with which a valid key may verify: those of its type, or the one that it names. */
export function keyAlgorithms(key: Jwk): readonly AssertionAlgorithm[] {
  const algorithms = KEY_ALGORITHMS.get(keyType(key)) ?? []
  return key.alg === undefined ? algorithms : algorithms.filter((alg) => alg === key.alg)
}

/** The fields of a client that authenticates with private_key_jwt; null and undefined: not given. */
export interface ClientKeyFields {
  jwks?: unknown
  jwks_uri?: unknown
  token_endpoint_auth_signing_alg?: unknown
}

/**
 * What is wrong with the fields of a client that authenticates with private_key_jwt, or null.
 * @param rules `algorithms`: those that the realm accepts. `allow_loopback`: as in {@link jwksUriFault}.
 */
export function clientKeyFieldsFault(
  { jwks = null, jwks_uri = null, token_endpoint_auth_signing_alg = null }: ClientKeyFields,
  { algorithms, allow_loopback }: { algorithms: readonly AssertionAlgorithm[]; allow_loopback: boolean },
): { field: keyof ClientKeyFields; fault: string } | null {
  const alg = algorithms.find((known) => known === token_endpoint_auth_signing_alg)
  if (token_endpoint_auth_signing_alg !== null && alg === undefined)
    return { field: 'token_endpoint_auth_signing_alg', fault: `is not one of ${algorithms.join(', ')}` }
  if (jwks_uri !== null) {
    if (jwks !== null) return { field: 'jwks_uri', fault: 'is given beside jwks; give one of them' }
    if (typeof jwks_uri !== 'string') return { field: 'jwks_uri', fault: 'is not a text' }
    const fault = jwksUriFault(jwks_uri, allow_loopback)
    return fault === null ? null : { field: 'jwks_uri', fault }
  }
  if (jwks === null) return { field: 'jwks', fault: 'is missing: private_key_jwt needs jwks or jwks_uri' }
  const fault = clientKeysFault(jwks) ?? algorithmFault(jwks, alg) ?? unusableFault(jwks, algorithms)
  return fault === null ? null : { field: 'jwks', fault }
}

const algorithmFault = (jwks: unknown, alg: AssertionAlgorithm | undefined): string | null =>
  alg === undefined || hasUsableKey(keysOf(jwks) ?? [], [alg])
    ? null
    : `has no key for ${alg}, the token_endpoint_auth_signing_alg`

/** A valid key has an algorithm, which the realm need not accept. */
const unusableFault = (jwks: unknown, algorithms: readonly AssertionAlgorithm[]): string | null =>
  hasUsableKey(keysOf(jwks) ?? [], algorithms) ? null : `has no key for ${algorithms.join(', ')}`

/** Whether one of the valid keys can verify with one of the algorithms. */
export const hasUsableKey = (keys: readonly unknown[], algorithms: readonly AssertionAlgorithm[]): boolean =>
  keys.some((key) => isObject(key) && keyAlgorithms(key).some((alg) => algorithms.includes(alg)))

/**
 * Why keys are not read from this address, or null.
 * @param allow_loopback Whether hosts of this computer may be named, by https too.
 */
export function jwksUriFault(uri: string, allow_loopback: boolean): string | null {
  const fault = redirectUriFault(uri)
  if (fault !== null) return fault
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'https:') return 'is not https'
  if (isLoopbackHost(hostname) || hostname.endsWith('.localhost'))
    return allow_loopback ? null : 'names this computer'
  return documentHostFault(hostname)
}

function keysOf(jwks: unknown): unknown[] | null {
  return isObject(jwks) && Array.isArray(jwks.keys) ? jwks.keys : null
}

const isObject = (value: unknown): value is Jwk =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isPrivate = (key: Jwk): boolean =>
  key.kty === 'oct' || PRIVATE_MEMBERS.some((member) => key[member] !== undefined)

/** A key of the map above, or the empty text. */
function keyType({ kty, crv }: Jwk): string {
  if (kty === 'RSA') return 'RSA'
  return typeof kty === 'string' && typeof crv === 'string' ? `${kty} ${crv}` : ''
}

function clientKeyFault(key: unknown): string | null {
  if (!isObject(key)) return 'is not a JWK'
  if (key.kty === 'oct') return 'is a shared secret; only public keys are accepted'
  if (isPrivate(key)) return 'has a private part; give only the public part, and replace this key'
  return typeFault(key) ?? useFault(key)
}

function typeFault(key: Jwk): string | null {
  const type = keyType(key)
  if (type === 'RSA') return rsaFault(key)
  if (type === 'EC P-256') return hasCoordinates(key, ['x', 'y']) ? null : 'is not a point of P-256'
  if (type === 'OKP Ed25519') return hasCoordinates(key, ['x']) ? null : 'is not a key of Ed25519'
  return 'is not an RSA, P-256 or Ed25519 key'
}

function rsaFault({ n, e }: Jwk): string | null {
  const modulus = integerBytes(n, MAX_RSA_BITS / 8)
  const bits = modulus === null ? 0 : modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24
  if (bits < MIN_RSA_BITS)
    return `is not an RSA key of ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits, in base64url without leading zeros`
  const exponent = integerBytes(e, MAX_EXPONENT_BYTES)?.reduce((value, byte) => value * 256 + byte, 0) ?? 0
  const is_odd = exponent % 2 === 1
  return exponent >= MIN_RSA_EXPONENT && is_odd
    ? null
    : 'has an exponent that is not accepted; use AQAB (65537)'
}

/** The bytes of a Base64urlUInt (RFC 7518 §2) that is not zero; null for anything else, and for more bytes. */
function integerBytes(value: unknown, max_bytes: number): Uint8Array | null {
  const bytes = exactBytes(value, max_bytes)
  return bytes === null || bytes.length === 0 || bytes[0] === 0 ? null : bytes
}

const hasCoordinates = (key: Jwk, names: readonly string[]): boolean =>
  names.every((name) => exactBytes(key[name], COORDINATE_BYTES)?.length === COORDINATE_BYTES)

/** Null for a text that is not the one spelling of these bytes, and for one of more bytes, which is not decoded. */
function exactBytes(value: unknown, max_bytes: number): Uint8Array | null {
  if (typeof value !== 'string' || value.length > Math.ceil((max_bytes * 4) / 3)) return null
  if (!/^[\w-]*$/.test(value)) return null
  try {
    const bytes = decoder.decode(value)
    return base64url(bytes) === value ? bytes : null
  } catch {
    return null
  }
}

const isKid = (kid: unknown): boolean =>
  typeof kid === 'string' && kid !== '' && kid.length <= MAX_KID_CHARACTERS && isStorableText(kid)

function useFault(key: Jwk): string | null {
  const { use, key_ops, alg, kid } = key
  if (use !== undefined && use !== 'sig') return 'has a use other than sig'
  const verifies = Array.isArray(key_ops) && key_ops.length === 1 && key_ops[0] === 'verify'
  if (key_ops !== undefined && !verifies) return 'has key_ops other than verify'
  const fits = alg === undefined || keyAlgorithms(key).length > 0
  if (!fits) return `has an alg that is not one of ${KEY_ALGORITHMS.get(keyType(key))?.join(', ')}`
  return kid === undefined || isKid(kid)
    ? null
    : `has a kid that is not a text of 1 to ${MAX_KID_CHARACTERS} characters, without NUL`
}
