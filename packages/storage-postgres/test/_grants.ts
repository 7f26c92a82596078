/** Users, sessions, grants, codes and tokens for tests to which the other fields do not matter. */

import {
  type AuthorizationCode,
  type CodeRedemption,
  type Grant,
  personTag,
  type Session,
} from '@ostiary/core'
import type { User } from '@ostiary/identity'

export const NOW = Math.floor(Date.now() / 1000)
export const LATER = NOW + 900

/** The id or hash with this name of a record of the user `sub`. */
export const idOf = (name: string): string => `${name}-${personTag('sub')}`

/** The session `idOf('sid')` of the user `sub`. */
export const sessionRecord = (hash: string): Session => ({
  sid: idOf('sid'),
  session_hash: idOf(hash),
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

/** A grant of the client `client`, the user `sub` and the session `idOf('sid')`. */
export const grantRecord = (name: string): Grant => ({
  grant_id: idOf(name),
  client_id: 'client',
  sub: 'sub',
  sid: idOf('sid'),
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

export const codeRecord = (hash: string, grant: string): AuthorizationCode => ({
  code_hash: idOf(hash),
  grant_id: idOf(grant),
  redirect_uri: 'r',
  redirect_uri_sent: true,
  code_challenge: 'c',
  nonce: null,
  dpop_jkt: null,
  expires_at: LATER,
  redeemed_at: null,
})

/** The refresh token that replaces a code or a token of the grant, for a public client. */
export const rotation = (grant: string, hash: string, grant_expires_at = LATER): CodeRedemption => ({
  refresh_token: {
    token_hash: idOf(hash),
    grant_id: idOf(grant),
    created_at: NOW,
    expires_at: LATER,
    spent_at: null,
  },
  grant_expires_at,
  client_auth: 'none',
  jkt: null,
})

export const userRecord = (sub: string, name: string, fields: Partial<User> = {}): User => ({
  sub,
  username: name,
  username_key: name,
  password_hash: null,
  claims: {},
  attributes: null,
  groups: null,
  created_at: NOW,
  updated_at: NOW,
  disabled_at: null,
  credential_version: 0,
  second_step: false,
  ...fields,
})
