/** Signing keys of each algorithm, and the JWTs that they sign. Private keys are stored encrypted, with AES-256-GCM. */

import { calculateJwkThumbprint, base64url as jose } from 'jose'
import { SealedKeyError } from '../http/errors.js'
import type { SigningAlgorithm, SigningKey } from '../storage/storage.js'
import { base64url, utf8 } from '../util/base64url.js'
import type { Random } from '../util/secret.js'
import { generateKeyPair, importKeyPair, publicJwk, signBytes } from './key-algorithms.js'

/** The input for a new signing key; times are epoch seconds. */
export interface SigningKeyInput {
  realm: string
  alg: SigningAlgorithm
  seal: CryptoKey
  random: Random
  now(): number
  /** Seconds until it signs. */
  publish_before: number
}

export async function createSigningKey({
  realm,
  alg,
  seal,
  random,
  now,
  publish_before,
}: SigningKeyInput): Promise<SigningKey> {
  const pair = await generateKeyPair(alg)
  const public_jwk = await publicJwk(alg, pair.publicKey)
  const kid = await calculateJwkThumbprint(public_jwk)
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', pair.privateKey)
  const sealed_private_key = await sealPrivateKey(pkcs8, {
    additionalData: keyName(realm, kid),
    seal,
    random,
  })
  // After it is made, which takes a while: it is published for all of `publish_before`.
  const created_at = now()
  return { kid, alg, public_jwk, sealed_private_key, signs_from: created_at + publish_before, created_at }
}

/** Returns the signature of a JWS signing input, in base64url (RFC 7515 §5.1). Those of ES256 are r and s (RFC 7518 §3.4). */
export type SignFunction = (input: string) => Promise<string> | string

/**
 * Makes a function that signs with this private key (PKCS #8 in DER), or undefined to let WebCrypto sign, which is the
 * default. A runtime may be faster.
 */
export type Signer = (pkcs8: ArrayBuffer, alg: SigningAlgorithm) => SignFunction | undefined

/** A decrypted, imported key. */
export interface OpenKey {
  kid: string
  alg: SigningAlgorithm
  signs_from: number
  private_key: CryptoKey
  sign: SignFunction
  public_key: CryptoKey
  /** The public key as it is in the JWKS (RFC 7517 §4). */
  jwk: Record<string, string>
}

export interface OpenOptions {
  realm: string
  /** One of them has encrypted the key. The current secret's comes first. */
  seals: readonly CryptoKey[]
  signer?: Signer | undefined
}

/** @throws SealedKeyError when the key was encrypted with another secret. */
export async function openSigningKey(
  key: SigningKey,
  { realm, seals, signer }: OpenOptions,
): Promise<OpenKey> {
  const { kid, alg, public_jwk, signs_from } = key
  const { pkcs8 } = await openPrivateKey(key, realm, seals)
  const [private_key, public_key] = await importKeyPair(alg, { pkcs8, public_jwk })
  const sign: SignFunction =
    signer?.(pkcs8, alg) ?? (async (input) => base64url(await signBytes(alg, private_key, utf8(input))))
  return { kid, alg, signs_from, private_key, sign, public_key, jwk: { ...public_jwk, kid, alg, use: 'sig' } }
}

const IV_BYTES = 12
/** The additional data of the encryption: a key that is copied to another realm, or under another kid, cannot be decrypted. */
export const keyName = (realm: string, kid: string) => utf8(`${realm}/${kid}`)

export async function sealPrivateKey(
  pkcs8: ArrayBuffer,
  {
    additionalData,
    seal,
    random,
  }: { additionalData: Uint8Array<ArrayBuffer>; seal: CryptoKey; random: Random },
): Promise<string> {
  const iv = Uint8Array.from(random(IV_BYTES))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, seal, pkcs8)
  return base64url(Uint8Array.from([...iv, ...new Uint8Array(sealed)]))
}

export async function openPrivateKey(
  { kid, sealed_private_key }: SigningKey,
  realm: string,
  seals: readonly CryptoKey[],
): Promise<{ pkcs8: ArrayBuffer; seal: CryptoKey }> {
  const sealed = Uint8Array.from(jose.decode(sealed_private_key))
  const parameters = {
    name: 'AES-GCM',
    iv: sealed.subarray(0, IV_BYTES),
    additionalData: keyName(realm, kid),
  }
  let cause: unknown
  for (const seal of seals) {
    try {
      return { pkcs8: await crypto.subtle.decrypt(parameters, seal, sealed.subarray(IV_BYTES)), seal }
    } catch (error) {
      cause = error
    }
  }
  throw new SealedKeyError({ kid, realm, cause })
}

/** The key to sign with: the newest of the algorithm whose `signs_from` has passed. `keys` are sorted by `signs_from`. */
export function signingKeyAt<K extends { alg: SigningAlgorithm; signs_from: number }>(
  keys: readonly K[],
  alg: SigningAlgorithm,
  now: number,
): K | undefined {
  const of_algorithm = keys.filter((key) => key.alg === alg)
  return of_algorithm.findLast(({ signs_from }) => signs_from <= now) ?? of_algorithm[0]
}

/**
 * The keys that the realm still needs: a key is retired when the next one of its algorithm starts to sign, and stays
 * published after that for the lifetime of its last token.
 * @param token_lifetime Seconds, of the longest-lived token.
 */
export function publishedKeysAt<K extends { alg: SigningAlgorithm; signs_from: number }>(
  keys: readonly K[],
  now: number,
  token_lifetime: number,
): K[] {
  return keys.filter(({ alg }, index) => {
    const next = keys.find((key, other) => other > index && key.alg === alg)
    return next === undefined || next.signs_from + token_lifetime > now
  })
}

export type JwtType = 'at+jwt' | 'JWT' | 'logout+jwt' | 'secevent+jwt' | 'statement+jwt'

/** The encoded header of each key and type, which is the same for all their tokens. */
const headers = new WeakMap<OpenKey, Map<JwtType, string>>()

/** A JWT as compact JWS: RFC 7515 §7.1. jose and the resource-server package verify. */
export async function signJwt(key: OpenKey, typ: JwtType, claims: object): Promise<string> {
  const input = `${encodedHeader(key, typ)}.${base64url(JSON.stringify(claims))}`
  return `${input}.${await key.sign(input)}`
}

function encodedHeader(key: OpenKey, typ: JwtType): string {
  const known = headers.get(key) ?? new Map<JwtType, string>()
  headers.set(key, known)
  const encoded = known.get(typ) ?? base64url(JSON.stringify({ alg: key.alg, typ, kid: key.kid }))
  known.set(typ, encoded)
  return encoded
}
