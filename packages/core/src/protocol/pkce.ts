/** PKCE, method S256: RFC 7636. */

import { sameSecret, sha256 } from './secret.js'

const UNRESERVED = /^[A-Za-z0-9._~-]{43,128}$/

export const isCodeChallenge = (value: string): boolean => UNRESERVED.test(value)

export async function verifyPkce(code_verifier: string, code_challenge: string): Promise<boolean> {
  return UNRESERVED.test(code_verifier) && sameSecret(await sha256(code_verifier), code_challenge)
}
