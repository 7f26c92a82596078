/** Sessions, grants, codes and tokens for tests to which the other fields do not matter. */

import type { AuthorizationCode, CodeRedemption, Grant, Session } from '@ostiary/core'

export const NOW = Math.floor(Date.now() / 1000)
export const LATER = NOW + 900

/** The session `sid` of the user `sub`. */
export const sessionRecord = (session_hash: string): Session => ({
  sid: 'sid',
  session_hash,
  sub: 'sub',
  auth_time: null,
  amr: [],
  acr: null,
  created_at: NOW,
  raised_at: null,
  expires_at: LATER,
  user_agent: null,
  last_used_at: null,
  client_ids: [],
})

/** A grant of the client `client`, the user `sub` and the session `sid`. */
export const grantRecord = (grant_id: string): Grant => ({
  grant_id,
  client_id: 'client',
  sub: 'sub',
  sid: 'sid',
  offline: false,
  scopes: [],
  resource: null,
  auth_time: null,
  amr: [],
  acr: null,
  client_auth: null,
  jkt: null,
  created_at: NOW,
  expires_at: LATER,
  revoked_at: null,
})

export const codeRecord = (code_hash: string, grant_id: string): AuthorizationCode => ({
  code_hash,
  grant_id,
  redirect_uri: 'r',
  redirect_uri_sent: true,
  code_challenge: 'c',
  nonce: null,
  dpop_jkt: null,
  expires_at: LATER,
  redeemed_at: null,
})

/** The refresh token that replaces a code or a token of the grant, for a public client. */
export const rotation = (grant_id: string, token_hash: string, grant_expires_at = LATER): CodeRedemption => ({
  refresh_token: { token_hash, grant_id, created_at: NOW, expires_at: LATER, spent_at: null },
  grant_expires_at,
  client_auth: 'none',
  jkt: null,
})
