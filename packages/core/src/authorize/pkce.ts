/** PKCE, method S256: RFC 7636. */

import type { RealmPolicy } from '../realm/policy.js'
import type { Client } from '../storage/records.js'
import { type Hashes, sameSecret } from '../util/secret.js'

const PKCE_VALUE = /^[A-Za-z0-9._~-]{43,128}$/

export const isCodeChallenge = (value: string): boolean => PKCE_VALUE.test(value)

export const verifyPkce = (code_verifier: string, code_challenge: string, hashes: Hashes): boolean =>
  PKCE_VALUE.test(code_verifier) && sameSecret(hashes.sha256(code_verifier), code_challenge)

/** Only a confidential client, made by an operator who has allowed it. */
export const mayOmitPkce = (client: Client, { pkce_optional }: RealmPolicy): boolean =>
  pkce_optional &&
  client.require_pkce === false &&
  client.token_endpoint_auth_method !== 'none' &&
  client.origin === 'operator'
