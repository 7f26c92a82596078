/** PKCE, method S256: RFC 7636. */

import { sameSecret, sha256 } from './secret.js'

const UNRESERVED = /^[A-Za-z0-9._~-]{43,128}$/

export const isCodeChallenge = (value: string): boolean => UNRESERVED.test(value)

export const verifyPkce = (code_verifier: string, code_challenge: string): boolean =>
  UNRESERVED.test(code_verifier) && sameSecret(sha256(code_verifier), code_challenge)
