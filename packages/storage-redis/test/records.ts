/** Records for the tests of keys and lifetimes. The conformance suite tests the stores themselves. */

import type {
  AuthorizationCode,
  ClientDocument,
  CodeRedemption,
  Grant,
  LogoutDelivery,
  Pending,
  RealmStorage,
  RefreshToken,
  Session,
  SigningKey,
} from '@ostiary/core'
import { clientRecord } from '@ostiary/test-kit/client-record'

export const HOUR = 3600
export const NOW = Math.floor(Date.now() / 1000)
export const LATER = NOW + HOUR

const pair = { sub: 'alice', client_id: 'app' }
const authentication = { auth_time: NOW, amr: ['pwd'], acr: null }

export const grant = (changes: Partial<Grant> = {}): Grant => ({
  grant_id: 'g',
  ...pair,
  sid: 's',
  offline: false,
  scopes: [],
  resource: null,
  ...authentication,
  client_auth: null,
  jkt: null,
  created_at: NOW,
  expires_at: LATER,
  revoked_at: null,
  ...changes,
})

export const code = (grant_id: string): AuthorizationCode => ({
  code_hash: `${grant_id}-code`,
  grant_id,
  redirect_uri: 'https://app.example/',
  redirect_uri_sent: true,
  code_challenge: 'c',
  nonce: null,
  dpop_jkt: null,
  expires_at: NOW + 60,
  redeemed_at: null,
})

export const refreshToken = (token_hash: string): RefreshToken => ({
  token_hash,
  grant_id: 'g',
  created_at: NOW,
  expires_at: LATER,
  spent_at: null,
})

/** The redemption of a code by a public client. */
export const redemption = (refresh_token: RefreshToken | null, grant_expires_at = LATER): CodeRedemption => ({
  refresh_token,
  grant_expires_at,
  client_auth: 'none',
  jkt: null,
})

export const session = (changes: Partial<Session> = {}): Session => ({
  sid: 's',
  session_hash: 'h',
  sub: 'alice',
  ...authentication,
  created_at: NOW,
  raised_at: null,
  expires_at: LATER,
  user_agent: null,
  last_used_at: null,
  client_ids: [],
  ...changes,
})

export const pending = (expires_at: number): Pending => ({
  kind: 'logout',
  pending_hash: 'p',
  expires_at,
  sid: 's',
  request: { client_id: null, post_logout_redirect_uri: null, state: null },
})

const key: SigningKey = {
  kid: 'k',
  alg: 'RS256',
  public_jwk: { kty: 'RSA', n: 'n', e: 'AQAB' },
  sealed_private_key: 's',
  signs_from: NOW,
  created_at: NOW,
}

const document: ClientDocument = {
  client_id: 'https://app.example/client.json',
  document: '{}',
  etag: null,
  last_modified: null,
  fetched_at: NOW,
  fresh_until: LATER,
  changed_at: NOW,
  expires_at: LATER,
}

const delivery: LogoutDelivery = {
  delivery_id: 'd',
  ...pair,
  sid: 's',
  uri: 'https://app.example/',
  host: 'app.example',
  session_required: false,
  created_at: NOW,
  attempts: 0,
  next_attempt_at: NOW,
}

/** Stores one record of each kind, and a grant whose code and first refresh token are spent. */
export async function fill({ grants, sessions, ...store }: RealmStorage): Promise<void> {
  await store.clients.create(clientRecord())
  await store.consents.merge({ ...pair, approved: [{ resource: 'r', scopes: ['openid'] }] }, NOW)
  await store.keys.ensure(key)
  await sessions.create(session())
  await sessions.join('s', 'app')
  await grants.create(grant(), code('g'))
  await grants.redeemCode('g-code', redemption(refreshToken('t1')), NOW)
  await grants.rotateRefreshToken(
    't1',
    { refresh_token: refreshToken('t2'), grant_expires_at: LATER + 1 },
    NOW,
  )
  await store.revoked_tokens.add('j', LATER)
  await store.pending.put(pending(LATER))
  await store.logouts.add([delivery])
  await store.throttle.hit('127.0.0.1', 60, NOW)
  await store.replays.claim('r', LATER, NOW)
  await store.client_documents.put(document)
}
