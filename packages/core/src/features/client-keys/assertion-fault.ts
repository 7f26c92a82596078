/** Authenticates a client by its signed assertion (private_key_jwt): RFC 7523 §3. */

import { isSignedBy } from '@ostiary/resource-server'
import { importJWK } from 'jose'
import type { Context } from '../../realm/context.js'
import type { AssertionPolicy } from '../../realm/policy.js'
import { DocumentError } from '../../refusals/document-error.js'
import type { Client } from '../../storage/storage.js'
import type { AssertionAlgorithm } from '../../util/assertion-algorithms.js'
import { sha256 } from '../../util/secret.js'
import {
  type AssertionFault,
  assertionClaimsFault,
  assertionEnd,
  assertionUse,
  type ClientAssertion,
} from './assertion.js'
import { fittingKeys, type Jwk } from './fitting-keys.js'
import type { KeySets } from './key-sets.js'

export interface ReceivedAssertion {
  assertion: ClientAssertion
  /** The URLs of endpoints that its `aud` may have beside the issuer, as discovery publishes them. */
  endpoints: readonly string[]
  key_sets: KeySets
  policy: AssertionPolicy
}

/**
 * Why the assertion does not authenticate the client, or null. It is used up then. The use is stored last, so that only the
 * client itself can use up a `jti`.
 * @param client Null for one that is unknown, or may not use assertions: then the result is never null, and the work is that
 * of one wrong signature, as for a client with one fitting key of a usual size. A client with more keys, or whose keys have to
 * be read first, takes longer.
 * @throws OAuthError 429 when too many documents are read.
 */
export async function assertionFault(
  c: Context,
  client: Client | null,
  { assertion, endpoints, key_sets, policy }: ReceivedAssertion,
): Promise<AssertionFault | null> {
  const found =
    client === null ? [] : await fittingKeys(c, client, { assertion, key_sets }).catch(keySetFault)
  const keys = typeof found === 'string' ? [] : found
  const [first = STAND_IN_KEYS[assertion.alg], ...others] = keys
  const is_signed = await isSignedByOne(assertion, [first, ...others])
  if (typeof found === 'string') return found
  if (keys.length === 0) return 'unknown_assertion_key'
  if (!is_signed) return 'assertion_signature'
  const { issuer } = c.realm
  const audiences = policy.only_issuer ? [issuer] : [issuer, ...endpoints]
  const fault = assertionClaimsFault(assertion, policy, { audiences, now: c.now() })
  if (fault !== null) return fault
  const use = sha256(assertionUse(assertion))
  const is_first = await c.storage.replays.claim(use, assertionEnd(assertion), c.now())
  return is_first ? null : 'assertion_replayed'
}

/** A failed request for keys is a failed authentication: what the client publishes is no cause for an alarm here. */
function keySetFault(error: unknown): AssertionFault {
  if (error instanceof DocumentError) return `assertion_keys_${error.reason}`
  throw error
}

async function isSignedByOne(assertion: ClientAssertion, keys: readonly Jwk[]): Promise<boolean> {
  for (const key of keys) if (await isSignedByKey(assertion, key)) return true
  return false
}

/** False too for a key that the runtime cannot use, such as coordinates that are no point of the curve. */
async function isSignedByKey({ token, alg }: ClientAssertion, key: Jwk): Promise<boolean> {
  const end = token.lastIndexOf('.')
  try {
    const used = await importedKey(key, alg)
    const signature = { alg, input: token.slice(0, end), signature: token.slice(end + 1) }
    return used instanceof CryptoKey && (await isSignedBy(used, signature))
  } catch {
    return false
  }
}

/** Imported keys, for as long as the client's record is kept. */
const imported = new WeakMap<Jwk, Map<AssertionAlgorithm, ReturnType<typeof importJWK>>>()

function importedKey(key: Jwk, alg: AssertionAlgorithm): ReturnType<typeof importJWK> {
  const known = imported.get(key) ?? new Map()
  imported.set(key, known)
  const used = known.get(alg) ?? importJWK(key, alg)
  known.set(alg, used)
  return used
}

const STAND_IN_RSA: Jwk = { kty: 'RSA', n: `${'_'.repeat(341)}w`, e: 'AQAB' }
/** The base points of the curves (RFC 8032 §5.1, FIPS 186-4 §D.1.2.3). */
const STAND_IN_ED25519: Jwk = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: 'WGZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmY',
}
const STAND_IN_P256: Jwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY',
  y: 'T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
}

/** Verified for a client without a fitting key, only to take as long as for one that has a key. What they say does not count. */
const STAND_IN_KEYS: Readonly<Record<AssertionAlgorithm, Jwk>> = {
  RS256: STAND_IN_RSA,
  PS256: STAND_IN_RSA,
  ES256: STAND_IN_P256,
  EdDSA: STAND_IN_ED25519,
  Ed25519: STAND_IN_ED25519,
}
