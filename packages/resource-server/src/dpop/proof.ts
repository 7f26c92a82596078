/** Checks the proof of a DPoP key that comes with a request: RFC 9449 §4.3. */

import { sha256 } from '@noble/hashes/sha2.js'
import { base64url, type JWK } from 'jose'
import { algorithmNamed, isAlgorithm } from '../algorithms.js'
import { isSignedBy } from '../signature.js'
import { utf8, utf8Text } from '../utf8.js'
import { proofKey } from './proof-key.js'
import { normalizedUrl } from './url.js'

/** The signature algorithms that are accepted by default: `dpop_signing_alg_values_supported`. `Ed25519` is RFC 9864's name. */
export const DPOP_ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS256'] as const

/** What a proof is checked against. */
export interface DpopProofRules {
  /** The method of the request: `htm`. */
  method: string
  /** The URL of the request as clients see it, absolute, without query and fragment: `htu`. Never made from `Host`. */
  url: string
  /** The access token that the request presents: its hash is `ath`. */
  access_token?: string
  /** A subset of `DPOP_ALGORITHMS`, which is the default. */
  algorithms?: readonly string[]
  /** How old a proof may be, in seconds; 300 by default. */
  max_age?: number
  /** How far the client's clock may be ahead, in seconds; 60 by default. */
  max_future?: number
  /** Epoch seconds. */
  now: number
}

/** A proof whose signature and claims are valid. The caller checks the nonce, and that the `jti` is used once. */
export interface DpopProof {
  /** The SHA-256 thumbprint of the key (RFC 7638), for comparison with `cnf.jkt`. */
  jkt: string
  /** 1 to 255 characters. */
  jti: string
  /** Epoch seconds. */
  iat: number
  nonce: string | null
  /** Epoch seconds: from then on the proof is refused because of its age. */
  expires_at: number
}

/** Why a proof is refused. */
export type DpopProofFault =
  | 'several_proofs'
  | 'malformed_proof'
  | 'proof_type'
  | 'proof_algorithm'
  | 'proof_key'
  | 'proof_signature'
  | 'proof_id'
  | 'proof_method'
  | 'proof_url'
  | 'proof_expired'
  | 'proof_not_yet_valid'
  | 'proof_access_token'

/** A proof was refused. `reason` is for logs; it is not sent to the client. */
export class DpopProofError extends Error {
  readonly reason: DpopProofFault

  constructor(reason: DpopProofFault, cause?: unknown) {
    super(`invalid DPoP proof: ${reason}`, cause === undefined ? undefined : { cause })
    this.name = 'DpopProofError'
    this.reason = reason
  }
}

const MAX_PROOF_CHARACTERS = 8192
const MAX_JTI_CHARACTERS = 255
/** The base64url text of an RSA modulus of 4096 bits, and of an exponent of 32 bits: a check takes longer with larger ones. */
const MAX_MODULUS_CHARACTERS = 683
const MAX_EXPONENT_CHARACTERS = 6
const DEFAULT_MAX_AGE = 300
const DEFAULT_MAX_FUTURE = 60

/** The members of private and symmetric keys: RFC 7518 §6.2.2, §6.3.2 and §6.4, RFC 8037 §2. */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

type JsonObject = Readonly<Record<string, unknown>>

/** A proof whose form is valid, and nothing else is checked. */
interface ParsedProof {
  /** The compact JWS. */
  token: string
  header: JsonObject
  claims: JsonObject
}

/**
 * Checks the proof in the header `DPoP`. What costs least is checked first, and the signature last.
 * @returns Null when the request has no such header.
 * @throws DpopProofError
 */
export async function verifyDpopProof(headers: Headers, rules: DpopProofRules): Promise<DpopProof | null> {
  const value = headers.get('dpop')
  if (value === null) return null
  const proof = parse(value)
  const { alg, jwk } = keyOf(proof.header, rules.algorithms ?? DPOP_ALGORITHMS)
  const checked = checkClaims(proof.claims, rules)
  const jkt = await checkSignature(proof.token, alg, jwk)
  return { jkt, ...checked }
}

function parse(value: string): ParsedProof {
  if (value.length > MAX_PROOF_CHARACTERS) throw new DpopProofError('malformed_proof')
  // The values of two headers of the same name are joined by a comma.
  if (value.includes(',')) throw new DpopProofError('several_proofs')
  const parts = value.split('.')
  const [header, claims] = parts.slice(0, 2).map(jsonObject)
  const is_form = parts.length === 3 && bytesOf(parts[2] ?? '') !== null
  // No extension is understood, so every critical one is refused (RFC 7515 §4.1.11).
  if (!is_form || !header || !claims || 'crit' in header) throw new DpopProofError('malformed_proof')
  return { token: value, header, claims }
}

/** The bytes of a canonical base64url text: each proof has only one spelling (RFC 7515 §2, RFC 4648 §3.5). */
function bytesOf(part: string): Uint8Array | null {
  if (!/^[\w-]+$/.test(part)) return null
  try {
    const bytes = base64url.decode(part)
    return base64url.encode(bytes) === part ? bytes : null
  } catch {
    return null
  }
}

function jsonObject(part: string): JsonObject | null {
  const bytes = bytesOf(part)
  try {
    return bytes && object(JSON.parse(utf8Text(bytes)))
  } catch {
    return null
  }
}

const object = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null

function keyOf(header: JsonObject, algorithms: readonly string[]): { alg: string; jwk: JWK } {
  const { typ, alg } = header
  if (typ !== 'dpop+jwt') throw new DpopProofError('proof_type')
  const is_accepted = typeof alg === 'string' && algorithms.includes(alg)
  if (!is_accepted || !DPOP_ALGORITHMS.some((known) => known === alg))
    throw new DpopProofError('proof_algorithm')
  const jwk = object(header.jwk)
  if (!jwk || SECRET_MEMBERS.some((name) => Object.hasOwn(jwk, name))) throw new DpopProofError('proof_key')
  if (tooLong(jwk.n, MAX_MODULUS_CHARACTERS) || tooLong(jwk.e, MAX_EXPONENT_CHARACTERS))
    throw new DpopProofError('proof_key')
  return { alg, jwk }
}

const tooLong = (value: unknown, limit: number): boolean => typeof value === 'string' && value.length > limit

function checkClaims(claims: JsonObject, rules: DpopProofRules): Omit<DpopProof, 'jkt'> {
  const { jti, htm, htu, iat, ath, nonce } = claims
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_CHARACTERS)
    throw new DpopProofError('proof_id')
  if (nonce !== undefined && typeof nonce !== 'string') throw new DpopProofError('malformed_proof')
  if (htm !== rules.method) throw new DpopProofError('proof_method')
  const url = typeof htu === 'string' ? normalizedUrl(htu) : null
  if (url === null || url !== normalizedUrl(rules.url)) throw new DpopProofError('proof_url')
  const max_age = rules.max_age ?? DEFAULT_MAX_AGE
  if (typeof iat !== 'number' || iat < rules.now - max_age) throw new DpopProofError('proof_expired')
  if (iat > rules.now + (rules.max_future ?? DEFAULT_MAX_FUTURE))
    throw new DpopProofError('proof_not_yet_valid')
  if (rules.access_token !== undefined && ath !== hashOf(rules.access_token))
    throw new DpopProofError('proof_access_token')
  return { jti, iat, nonce: nonce ?? null, expires_at: Math.floor(iat + max_age) + 1 }
}

/** The value of `ath` for an access token (RFC 9449 §4.2). */
const hashOf = (access_token: string): string => base64url.encode(sha256(utf8(access_token)))

/** With the key in the proof, whose type must be the algorithm's. Returns the key's thumbprint. */
async function checkSignature(token: string, alg: string, jwk: JWK): Promise<string> {
  const name = algorithmNamed(alg)
  const found = isAlgorithm(name) ? await proofKey(jwk, name) : null
  if (found === null) throw new DpopProofError('proof_key')
  const end = token.lastIndexOf('.')
  const signature = { alg, input: token.slice(0, end), signature: token.slice(end + 1) }
  if (!(await isSignedBy(found.key, signature))) throw new DpopProofError('proof_signature')
  return found.jkt
}
