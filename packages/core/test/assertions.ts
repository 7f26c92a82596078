/** Keys and assertions of clients that authenticate with private_key_jwt. */

import { type CryptoKey, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'

export const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

export interface ClientKey {
  private_key: CryptoKey
  public_key: CryptoKey
  public_jwk: Record<string, unknown>
}

/** @param fields Members that are added to the public JWK. */
export async function clientKey(alg: string, fields: Record<string, unknown> = {}): Promise<ClientKey> {
  const pair = await generateKeyPair(alg, { extractable: true })
  const public_jwk = { ...(await exportJWK(pair.publicKey)), ...fields }
  return { private_key: pair.privateKey, public_key: pair.publicKey, public_jwk }
}

/** The private key for another algorithm of its type. */
export const usedFor = async ({ private_key }: ClientKey, alg: string): Promise<CryptoKey> =>
  (await importJWK(await exportJWK(private_key), alg)) as CryptoKey

export interface AssertionParts {
  key: CryptoKey | Uint8Array
  header: Record<string, unknown>
  claims: Record<string, unknown>
}

/** A signed JWT of these parts. A member that is undefined is left out. */
export const signed = ({ key, header, claims }: AssertionParts): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(key)

/** The form fields of an assertion. */
export const asserted = (client_assertion: string) => ({
  client_assertion_type: JWT_BEARER,
  client_assertion,
})
