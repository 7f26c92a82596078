/** Records with texts that are difficult to store. Their times are near the present, because some storages delete expired records. */

import type {
  AuthorizationCode,
  AuthorizationRequest,
  Client,
  ClientDocument,
  CodeRedemption,
  Consent,
  DeliveryClaim,
  Grant,
  LogoutDelivery,
  PendingAuthorization,
  PendingConsent,
  PendingLogout,
  PushedAuthorization,
  RefreshToken,
  Session,
  SigningKey,
} from '@ostiary/core'
import { personOf, withPart } from './ids.js'
import { LONG_TEXT, ODD_LIST, ODD_TEXT } from './odd-texts.js'

export { LONG_TEXT, ODD_LIST, ODD_TEXT } from './odd-texts.js'

const HOUR_SECONDS = 3600
export const NOW = Math.floor(Date.now() / 1000)
export const LATER = NOW + HOUR_SECONDS
export const LONG_AGO = NOW - HOUR_SECONDS

/** A confidential client with texts that are difficult to store. */
export function client(client_id: string, changes: Partial<Client> = {}): Client {
  return {
    client_id,
    client_secret_hash: 'c2VjcmV0',
    client_name: ODD_TEXT,
    token_endpoint_auth_method: 'client_secret_basic',
    token_endpoint_auth_methods: ['client_secret_post', 'client_secret_basic'],
    token_endpoint_auth_signing_alg: 'ES256',
    id_token_signed_response_alg: 'ES256',
    dpop_bound_access_tokens: true,
    require_pushed_authorization_requests: true,
    jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: ODD_TEXT, key_ops: ODD_LIST }] },
    jwks_uri: `https://app.example/${'x'.repeat(2000)}`,
    redirect_uris: ['https://app.example/cb?a=1&b=%20', `https://app.example/${'x'.repeat(2000)}`],
    post_logout_redirect_uris: ODD_LIST,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    backchannel_logout_uri: 'https://app.example/logout',
    backchannel_logout_session_required: true,
    allowed_exchange_audiences: ['https://api.example/'],
    consent_required: true,
    trusted: false,
    allowed_groups: ODD_LIST,
    required_acr: ODD_TEXT,
    verification_uri_complete: true,
    default_scopes: ['openid'],
    optional_scopes: ['*', 'https://api.example/ read'],
    require_pkce: false,
    default_resource: 'https://api.example/',
    logo_uri: 'https://app.example/logo.png?a=1&b=%20',
    client_uri: 'https://app.example/',
    policy_uri: 'https://app.example/privacy',
    tos_uri: `https://app.example/${'x'.repeat(2000)}`,
    access_token_lifetime: 86_400,
    refresh_token_lifetime: 2 ** 40,
    refresh_token_grace: 60,
    origin: 'registered',
    client_id_issued_at: NOW,
    expires_at: null,
    revoked_at: null,
    not_before: null,
    ...changes,
  }
}

/** Every optional value is null or empty. */
export function bareClient(client_id: string): Client {
  return client(client_id, {
    client_secret_hash: null,
    token_endpoint_auth_method: 'none',
    token_endpoint_auth_methods: null,
    token_endpoint_auth_signing_alg: null,
    id_token_signed_response_alg: null,
    dpop_bound_access_tokens: null,
    require_pushed_authorization_requests: null,
    jwks: null,
    jwks_uri: null,
    client_name: '',
    redirect_uris: [],
    post_logout_redirect_uris: [],
    grant_types: [],
    response_types: [],
    backchannel_logout_uri: null,
    backchannel_logout_session_required: false,
    allowed_exchange_audiences: [],
    consent_required: false,
    trusted: true,
    allowed_groups: null,
    required_acr: null,
    verification_uri_complete: null,
    default_scopes: null,
    optional_scopes: null,
    require_pkce: null,
    default_resource: null,
    logo_uri: null,
    client_uri: null,
    policy_uri: null,
    tos_uri: null,
    access_token_lifetime: null,
    refresh_token_lifetime: null,
    refresh_token_grace: null,
    origin: 'operator',
  })
}

/** The row that `merge` makes for a first approval at `NOW`. */
export function consent(row: Pick<Consent, 'sub' | 'client_id' | 'resource' | 'scopes'>): Consent {
  return { ...row, created_at: NOW, updated_at: NOW, revoked_at: null }
}

export function grant(grant_id: string, changes: Partial<Grant> = {}): Grant {
  return {
    grant_id,
    client_id: 'client',
    sub: personOf(grant_id),
    sid: withPart(grant_id, 'sid'),
    offline: false,
    scopes: ['openid', 'zebra', 'apple', ODD_TEXT],
    resource: 'https://api.example/',
    auth_time: NOW - 5,
    amr: ['pwd', 'otp'],
    acr: '2',
    client_auth: 'none',
    jkt: null,
    created_at: NOW,
    expires_at: LATER,
    revoked_at: null,
    ...changes,
  }
}

/** The code of the grant. */
export function code(grant_id: string, changes: Partial<AuthorizationCode> = {}): AuthorizationCode {
  return {
    code_hash: withPart(grant_id, 'code'),
    grant_id,
    redirect_uri: 'https://app.example/cb?a=1&b=%20',
    redirect_uri_sent: true,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    nonce: ODD_TEXT,
    dpop_jkt: null,
    expires_at: NOW + 60,
    redeemed_at: null,
    ...changes,
  }
}

export function refreshToken(
  grant_id: string,
  token_hash: string,
  changes: Partial<RefreshToken> = {},
): RefreshToken {
  return { token_hash, grant_id, created_at: NOW, expires_at: LATER, spent_at: null, ...changes }
}

/** The redemption of a code by a public client. */
export function redemption(refresh_token: RefreshToken | null, grant_expires_at = LATER): CodeRedemption {
  return { refresh_token, grant_expires_at, client_auth: 'none', jkt: null }
}

/** A document with texts that are difficult to store. */
export function clientDocument(client_id: string, changes: Partial<ClientDocument> = {}): ClientDocument {
  return {
    client_id,
    document: ` { "client_id" : ${JSON.stringify(client_id)},\r\n "odd": "\\u0000\uFEFF ${LONG_TEXT.slice(0, 5000)}", "odd": 1.0 }`,
    etag: `W/"${ODD_TEXT}"`,
    last_modified: 'Sun, 06 Nov 1994 08:49:37 GMT',
    fetched_at: NOW,
    fresh_until: NOW + 300,
    changed_at: LONG_AGO,
    expires_at: LATER,
    ...changes,
  }
}

export function session(sid: string, changes: Partial<Session> = {}): Session {
  return {
    sid,
    session_hash: withPart(sid, 'hash'),
    sub: personOf(sid),
    auth_time: NOW,
    amr: ['pwd'],
    acr: '1',
    created_at: NOW,
    raised_at: null,
    expires_at: LATER,
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    last_used_at: NOW,
    client_ids: [],
    ...changes,
  }
}

function request(changes: Partial<AuthorizationRequest> = {}): AuthorizationRequest {
  return {
    client_id: 'client',
    redirect_uri: 'https://app.example/cb',
    redirect_uri_sent: false,
    state: LONG_TEXT,
    scopes: ODD_LIST,
    resource: 'https://api.example/',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    nonce: ODD_TEXT,
    prompt: ['login', 'consent'],
    max_age: 0,
    acr_values: ['2', '1'],
    hinted_sub: ODD_TEXT,
    ...changes,
  }
}

/** Every optional value is null or empty. */
export function pendingAuthorization(pending_hash: string): PendingAuthorization {
  const bare = { state: null, scopes: [], resource: null, nonce: null, prompt: [], max_age: null }
  return {
    kind: 'authorization',
    pending_hash,
    expires_at: LATER,
    login_required_since: null,
    login_reason: null,
    request: request({ ...bare, code_challenge: null, acr_values: [], hinted_sub: null }),
  }
}

export function pendingConsent(pending_hash: string): PendingConsent {
  return {
    kind: 'consent',
    pending_hash,
    expires_at: LATER,
    sid: ODD_TEXT,
    authorization_hash: `${pending_hash}-authorization`,
    request: request(),
    authorization_sealed: true,
  }
}

export function pendingLogout(pending_hash: string): PendingLogout {
  return {
    kind: 'logout',
    pending_hash,
    expires_at: LATER,
    sid: 'sid',
    request: { client_id: null, post_logout_redirect_uri: null, state: ODD_TEXT },
  }
}

export function pushedAuthorization(pending_hash: string): PushedAuthorization {
  return { kind: 'pushed', pending_hash, expires_at: LATER, first_use_before: NOW, request: request() }
}

const RSA_JWK = { kty: 'RSA', n: 'n'.repeat(342), e: 'AQAB' } as const
const PUBLIC_JWKS: Record<SigningKey['alg'], SigningKey['public_jwk']> = {
  RS256: RSA_JWK,
  PS256: RSA_JWK,
  ES256: { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) },
  EdDSA: { kty: 'OKP', crv: 'Ed25519', x: 'x'.repeat(43) },
}

export function signingKey(kid: string, signs_from = NOW, alg: SigningKey['alg'] = 'RS256'): SigningKey {
  return {
    kid,
    alg,
    public_jwk: PUBLIC_JWKS[alg],
    sealed_private_key: 's'.repeat(2400),
    signs_from,
    created_at: NOW,
  }
}

export function delivery(delivery_id: string, changes: Partial<LogoutDelivery> = {}): LogoutDelivery {
  return {
    delivery_id,
    client_id: 'client',
    sub: `${ODD_TEXT} ${delivery_id}`,
    sid: 'sid',
    uri: 'https://app.example/logout?a=1&b=%20',
    host: `${delivery_id}.example`,
    session_required: false,
    created_at: NOW,
    attempts: 0,
    next_attempt_at: NOW,
    ...changes,
  }
}

/** A claim that excepts no host or user, and sets no limit for each of them. */
export function claimOf(now: number, lease: number, limit: number): DeliveryClaim {
  return { now, lease, limit, share: limit, except: { hosts: [], subs: [] } }
}
