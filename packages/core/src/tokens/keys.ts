/** Signing keys: RS256, RSA 2048. Private keys are stored encrypted, with AES-256-GCM. */

import { calculateJwkThumbprint, base64url as jose } from 'jose'
import { SealedKeyError } from '../errors.js'
import { base64url } from '../protocol/base64url.js'
import type { Random } from '../protocol/secret.js'
import type { SigningKey } from '../storage.js'

const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const utf8 = new TextEncoder()

/** The input for a new signing key; times are epoch seconds. */
export interface SigningKeyInput {
  realm: string
  seal: CryptoKey
  random: Random
  now: number
  signs_from: number
}

export async function createSigningKey({
  realm,
  seal,
  random,
  now,
  signs_from,
}: SigningKeyInput): Promise<SigningKey> {
  const pair = await crypto.subtle.generateKey(
    { ...RSA, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  )
  const { kty, n, e } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  if (kty === undefined || n === undefined || e === undefined) throw new Error('The runtime made no RSA key')
  const kid = await calculateJwkThumbprint({ kty, n, e })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', pair.privateKey)
  const sealed_private_key = await sealPrivateKey(pkcs8, {
    additionalData: keyName(realm, kid),
    seal,
    random,
  })
  return {
    kid,
    alg: 'RS256',
    public_jwk: { kty: 'RSA', n, e },
    sealed_private_key,
    signs_from,
    created_at: now,
  }
}

/** Returns the RS256 signature of a JWS signing input, in base64url (RFC 7515 §5.1, RFC 7518 §3.3). */
export type SignFunction = (input: string) => Promise<string> | string

/** Makes a function that signs with this private key (PKCS #8 in DER). The default is WebCrypto; a runtime may be faster. */
export type Signer = (pkcs8: ArrayBuffer) => SignFunction

/** A decrypted, imported key. */
export interface OpenKey {
  kid: string
  signs_from: number
  private_key: CryptoKey
  sign: SignFunction
  public_key: CryptoKey
  /** The public key as it is in the JWKS (RFC 7517 §4). */
  jwk: Record<string, string>
}

export interface OpenOptions {
  realm: string
  /** One of them has sealed the key. The current secret's comes first. */
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
  const [private_key, public_key] = await Promise.all([
    crypto.subtle.importKey('pkcs8', pkcs8, RSA, false, ['sign']),
    crypto.subtle.importKey('jwk', public_jwk, RSA, false, ['verify']),
  ])
  const sign = signer?.(pkcs8) ?? webCryptoSign(private_key)
  return { kid, signs_from, private_key, sign, public_key, jwk: { ...public_jwk, kid, alg, use: 'sig' } }
}

const IV_BYTES = 12
/** The additional data of the encryption: a key that is copied to another realm, or under another kid, does not open. */
export const keyName = (realm: string, kid: string) => utf8.encode(`${realm}/${kid}`)

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

const webCryptoSign =
  (key: CryptoKey): SignFunction =>
  async (input) =>
    base64url(new Uint8Array(await crypto.subtle.sign(RSA.name, key, utf8.encode(input))))

/** The key to sign with: the newest whose `signs_from` has passed. `keys` are sorted by `signs_from`. */
export function signingKeyAt<K extends { signs_from: number }>(
  keys: readonly K[],
  now: number,
): K | undefined {
  return keys.findLast(({ signs_from }) => signs_from <= now) ?? keys[0]
}

/**
 * The keys that the realm still needs: a key is retired when the next one starts to sign, and stays published after that
 * for the lifetime of its last token.
 * @param token_lifetime Seconds, of the longest-lived token.
 */
export function publishedKeysAt<K extends { signs_from: number }>(
  keys: readonly K[],
  now: number,
  token_lifetime: number,
): K[] {
  return keys.filter((_, index) => {
    const next = keys[index + 1]
    return next === undefined || next.signs_from + token_lifetime > now
  })
}
