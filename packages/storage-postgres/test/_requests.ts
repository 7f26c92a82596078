/** The operations of a sign-in, a refresh, a revocation and a sign-out, with new records that have not expired. */

import type {
  AuthorizationCode,
  CodeRedemption,
  Grant,
  Pending,
  RealmStorage,
  RefreshToken,
  Session,
} from '@ostiary/core'
import { NOW } from './_expired-rows.js'

const LATER = NOW + 3600

/** In this order, each operation finds its record; it returns false otherwise. */
export function requests(store: RealmStorage, round: number): [name: string, run: () => Promise<unknown>][] {
  const id = (kind: string) => `${kind}-${round}`
  const pending: Pending = {
    kind: 'logout',
    pending_hash: id('pending'),
    expires_at: LATER,
    sid: id('sid'),
    request: { client_id: null, post_logout_redirect_uri: null, state: null },
  }
  const session: Session = {
    sid: id('sid'),
    session_hash: id('hash'),
    sub: id('sub'),
    auth_time: NOW,
    amr: ['pwd'],
    acr: null,
    created_at: NOW,
    raised_at: null,
    expires_at: LATER,
    user_agent: null,
    last_used_at: null,
    client_ids: [],
  }
  const grant: Grant = {
    grant_id: id('grant'),
    client_id: 'client',
    sub: id('sub'),
    sid: id('sid'),
    offline: true,
    scopes: ['openid'],
    resource: null,
    auth_time: NOW,
    amr: ['pwd'],
    acr: null,
    client_auth: null,
    jkt: null,
    created_at: NOW,
    expires_at: LATER,
    revoked_at: null,
  }
  const code: AuthorizationCode = {
    code_hash: id('code'),
    grant_id: id('grant'),
    redirect_uri: 'https://app.example/cb',
    redirect_uri_sent: true,
    code_challenge: 'c'.repeat(43),
    nonce: null,
    dpop_jkt: null,
    expires_at: LATER,
    redeemed_at: null,
  }
  const token = (name: string): RefreshToken => ({
    token_hash: id(name),
    grant_id: id('grant'),
    created_at: NOW,
    expires_at: LATER,
    spent_at: null,
  })
  const next = (name: string): CodeRedemption => ({
    refresh_token: token(name),
    grant_expires_at: LATER,
    client_auth: 'none',
    jkt: null,
  })
  const renewal = { expires_at: LATER, grant_expires_at: LATER }
  const { grants, sessions } = store
  const found = async (record: Promise<unknown>) => (await record) !== null
  return [
    ['throttle.hit', () => store.throttle.hit('login:ann', 60, NOW + round)],
    ['pending.put', () => store.pending.put(pending)],
    ['pending.find', () => found(store.pending.find(id('pending')))],
    ['pending.take', () => found(store.pending.take(id('pending')))],
    ['sessions.create', () => sessions.create(session)],
    ['sessions.find', () => found(sessions.find(id('hash')))],
    ['sessions.join', () => sessions.join(id('sid'), 'client')],
    ['grants.create', () => grants.create(grant, code)],
    ['grants.findCode', () => found(grants.findCode(id('code')))],
    ['grants.redeemCode', () => grants.redeemCode(id('code'), next('first'), NOW)],
    ['grants.findRefreshToken', () => found(grants.findRefreshToken(id('first')))],
    ['grants.renewRefreshToken', () => grants.renewRefreshToken(id('first'), renewal)],
    ['grants.rotateRefreshToken', () => grants.rotateRefreshToken(id('first'), next('second'), NOW)],
    ['grants.find', () => found(grants.find(id('grant')))],
    ['grants.revoke', () => grants.revoke({ grant_id: id('grant') }, NOW)],
    ['revoked_tokens.add', () => store.revoked_tokens.add(id('jti'), LATER)],
    ['replays.claim', () => store.replays.claim(id('assertion'), LATER, NOW)],
    ['revoked_tokens.has', () => store.revoked_tokens.has(id('jti'))],
    ['sessions.end', () => found(sessions.end(id('sid'), NOW, 30))],
    ['sessions.forget', () => sessions.forget(id('sid'))],
    ['sessions.expired', () => sessions.expired(NOW, 20)],
  ]
}
