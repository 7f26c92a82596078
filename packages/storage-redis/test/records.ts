/** Records for the tests of keys and lifetimes. The conformance suite tests the stores themselves. */

import {
  type AuthorizationCode,
  type ClientDocument,
  type CodeRedemption,
  type Grant,
  type LogoutDelivery,
  type Pending,
  personTag,
  type RealmStorage,
  type RefreshToken,
  type Session,
  type SigningKey,
  tagOf,
} from '@ostiary/core'
import { clientRecord } from '@ostiary/test-kit/client-record'

export const HOUR = 3600
export const NOW = Math.floor(Date.now() / 1000)
export const LATER = NOW + HOUR

const PERSON = 'alice'
const pair = { sub: PERSON, client_id: 'app' }

/** An id of a record of this person: it ends with the tag. */
export const idOf = (name: string, sub = PERSON): string => `${name}${personTag(sub)}`

/** The id of another record of the same person: for `idOf('g')` and "code", it is `idOf('g-code')`. */
const withPart = (id: string, part: string): string => `${id.slice(0, -tagOf(id).length)}-${part}${tagOf(id)}`
const authentication = { auth_time: NOW, amr: ['pwd'], acr: null }

export const grant = (changes: Partial<Grant> = {}): Grant => ({
  grant_id: idOf('g'),
  ...pair,
  sid: idOf('s'),
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
  code_hash: withPart(grant_id, 'code'),
  grant_id,
  redirect_uri: 'https://app.example/',
  redirect_uri_sent: true,
  code_challenge: 'c',
  nonce: null,
  dpop_jkt: null,
  expires_at: NOW + 60,
  redeemed_at: null,
})

export const refreshToken = (token_hash: string, grant_id = idOf('g')): RefreshToken => ({
  token_hash,
  grant_id,
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
  sid: idOf('s'),
  session_hash: idOf('h'),
  sub: PERSON,
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
  sid: idOf('s'),
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
  sid: idOf('s'),
  uri: 'https://app.example/',
  host: 'app.example',
  session_required: false,
  created_at: NOW,
  attempts: 0,
  next_attempt_at: NOW,
}

/** Stores one record of each kind, and a grant whose code and first refresh token are spent. */
export async function fill(store: RealmStorage, sub = PERSON): Promise<void> {
  await fillPerson(store, sub)
  await store.clients.create(clientRecord())
  await store.keys.ensure(key)
  await store.revoked_tokens.add('j', LATER)
  await store.pending.put(pending(LATER))
  await store.logouts.add([delivery])
  await store.throttle.hit('127.0.0.1', 60, NOW)
  await store.replays.claim('r', LATER, NOW)
  await store.client_documents.put(document)
}

/** The records of one person: one of each kind, and two refresh tokens. */
export async function fillPerson(store: RealmStorage, sub: string): Promise<void> {
  const { consents, grants, sessions, revoked_tokens } = store
  const id = (name: string) => idOf(name, sub)
  const token = (name: string) => refreshToken(id(name), id('g'))
  await consents.merge({ sub, client_id: 'app', approved: [{ resource: 'r', scopes: ['openid'] }] }, NOW)
  await sessions.create(session({ sub, sid: id('s'), session_hash: id('h') }))
  await sessions.join(id('s'), 'app')
  await grants.create(grant({ sub, grant_id: id('g'), sid: id('s') }), code(id('g')))
  await grants.redeemCode(id('g-code'), redemption(token('t1')), NOW)
  await grants.rotateRefreshToken(id('t1'), { refresh_token: token('t2'), grant_expires_at: LATER + 1 }, NOW)
  await revoked_tokens.add(`${id('g')}.j`, LATER)
}
