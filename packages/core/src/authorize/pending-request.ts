/**
 * Authorization requests that wait for a login or a consent. The request is sealed in its one-time token, which the browser
 * carries, so that a request without a session stores nothing. Only requests that are too long for a URL, and those that
 * a client has pushed (RFC 9126), are stored, and their number is limited.
 */

import { seal, unseal } from '../crypto/sealed.js'
import { allKeys, type DerivedKeys } from '../crypto/secrets.js'
import type { Context } from '../realm/context.js'
import { type Ceiling, countUnderCeiling } from '../request/ceiling.js'
import { findOneTime } from '../request/one-time-token.js'
import { throttle } from '../request/throttle.js'
import type {
  AuthorizationRequest,
  Client,
  LoginReason,
  PendingAuthorization,
  PushedAuthorization,
} from '../storage/storage.js'
import { newSecret, sha256 } from '../util/secret.js'
import { promptsLogin } from './parse-request.js'

export interface PendingRequest {
  /** The one-time token: the sealed request itself, or the name of the stored one. */
  token: string
  pending: PendingAuthorization
  /** False when the request is stored. */
  sealed: boolean
  /** The stored request, when the client has pushed it. Its tokens are sealed, and name it by its hash. */
  pushed: PushedAuthorization | null
}

/** What the token of a pushed request seals in place of the request. */
type PushedReference = Omit<PendingAuthorization, 'kind' | 'request'> & { kind: 'pushed' }

/** The parts of a pending request that are needed to mark it as answered. */
export type AnswerableRequest = Pick<PendingAuthorization, 'pending_hash' | 'expires_at'> &
  Pick<PendingRequest, 'sealed'>

/** Characters. Half of the request line that proxies usually accept. */
const MAX_SEALED_LENGTH = 4096
const SEALED_PREFIX = 'sealed.'
/**
 * Requests of one realm that are stored within STORED_WINDOW_SECONDS, from all addresses: for clients that the operator has made,
 * and for all others. Each has at most 16 KiB.
 */
const MAX_STORED_REQUESTS = 4000
const STORED_WINDOW_SECONDS = 600

export interface HoldOptions {
  /** Null when no login is needed. */
  login_reason: LoginReason | null
  /** The hash of a request that is already waiting: all its tokens share one answer. */
  pending_hash?: string
}

/** @throws OAuthError `temporarily_unavailable` when the request would have to be stored and too many are stored. */
export async function holdRequest(
  c: Context,
  request: AuthorizationRequest,
  { login_reason, pending_hash = sha256(newSecret(c.random)) }: HoldOptions,
): Promise<PendingRequest> {
  const pending: PendingAuthorization = {
    kind: 'authorization',
    pending_hash,
    request,
    login_required_since: loginRequiredSince(c, request, login_reason),
    login_reason,
    expires_at: c.now() + c.realm.settings.tokens.pending_authorization,
  }
  noteFlow(c, pending_hash)
  const token = await sealedToken(c, pending)
  return token.length <= MAX_SEALED_LENGTH
    ? { token, pending, sealed: true, pushed: null }
    : store(c, pending)
}

/** All tokens of a pushed request share its record, and so its one answer and its end. */
export async function holdPushedRequest(
  c: Context,
  pushed: PushedAuthorization,
  login_reason: LoginReason | null,
): Promise<PendingRequest> {
  const { pending_hash, request, expires_at } = pushed
  noteFlow(c, pending_hash)
  const login_required_since = loginRequiredSince(c, request, login_reason)
  const state = { pending_hash, login_required_since, login_reason, expires_at }
  const token = await sealedToken(c, { ...state, kind: 'pushed' })
  return { token, pending: { ...state, kind: 'authorization', request }, sealed: false, pushed }
}

/** A request with a token that has the reason of the login. Null when it was answered meanwhile. */
export async function holdForLogin(
  c: Context,
  { pending, sealed, pushed }: PendingRequest,
  login_reason: LoginReason,
): Promise<PendingRequest | null> {
  if (pushed !== null) return holdPushedRequest(c, pushed, login_reason)
  const { request, pending_hash } = pending
  if (sealed) return holdRequest(c, request, { login_reason, pending_hash })
  return (await answerRequest(c, { ...pending, sealed })) ? holdRequest(c, request, { login_reason }) : null
}

function loginRequiredSince(
  c: Context,
  request: AuthorizationRequest,
  login_reason: LoginReason | null,
): number | null {
  const { max_age, acr_values } = request
  const wants_new_login =
    promptsLogin(request) || max_age !== null || acr_values.length > 0 || login_reason === 'acr'
  return login_reason !== null && wants_new_login ? c.now() : null
}

const sealedToken = async (c: Context, value: PendingAuthorization | PushedReference): Promise<string> =>
  SEALED_PREFIX + (await seal(value, sealOptions(c), c.random))

async function store(c: Context, unsealed: PendingAuthorization): Promise<PendingRequest> {
  await throttle(c, 'authorize', c.realm.settings.throttle.authorize)
  const client = await c.storage.clients.find(unsealed.request.client_id)
  await countStored(c, {
    counter: kindCounter('authorize', client),
    of: 'realm',
    max: MAX_STORED_REQUESTS,
    what: 'authorization requests that are too long for a URL',
  })
  const token = newSecret(c.random)
  const pending = { ...unsealed, pending_hash: sha256(token) }
  noteFlow(c, pending.pending_hash)
  await c.storage.pending.put(pending)
  return { token, pending, sealed: false, pushed: null }
}

/** Requests for the operator's clients are counted apart, so that clients that register themselves cannot use up their limit. */
export const kindCounter = (name: string, client: Pick<Client, 'origin'> | null): string =>
  client?.origin === 'operator' ? name : `${name}-others`

/** Counts one request that will be stored. @throws OAuthError `temporarily_unavailable` with `Retry-After` */
export async function countStored(
  c: Context,
  limit: Pick<Ceiling, 'counter' | 'of' | 'max' | 'what'>,
): Promise<void> {
  await countUnderCeiling(c, { ...limit, window_seconds: STORED_WINDOW_SECONDS, status: 503 })
}

/** Characters of the hash. */
const FLOW_LENGTH = 16

/** The events of the request are about this authorization request. */
export const noteFlow = (c: Context, pending_hash: string): void =>
  c.on_flow?.(c.request, pending_hash.slice(0, FLOW_LENGTH))

/** Null when the request is unknown, expired or answered. */
export async function findRequest(c: Context, token: string): Promise<PendingRequest | null> {
  const found = token.startsWith(SEALED_PREFIX)
    ? await unsealedRequest(c, token)
    : await storedRequest(c, token)
  if (found !== null) {
    c.facts.client_id = found.pending.request.client_id
    noteFlow(c, found.pending.pending_hash)
  }
  return found !== null && found.pending.expires_at > c.now() ? found : null
}

async function storedRequest(c: Context, token: string): Promise<PendingRequest | null> {
  const pending = await findOneTime(c, token)
  return pending?.kind === 'authorization' ? { token, pending, sealed: false, pushed: null } : null
}

async function unsealedRequest(c: Context, token: string): Promise<PendingRequest | null> {
  const unsealed = await unsealWithAnyKey(c, token.slice(SEALED_PREFIX.length))
  if (unsealed === null) return null
  // For the event, if the request is answered already.
  if (unsealed.kind === 'authorization') c.facts.client_id = unsealed.request.client_id
  const stored = await c.storage.pending.find(unsealed.pending_hash)
  if (unsealed.kind === 'pushed') {
    if (stored?.kind !== 'pushed') return null
    const pending: PendingAuthorization = { ...unsealed, kind: 'authorization', request: stored.request }
    return { token, pending, sealed: false, pushed: stored }
  }
  return stored === null ? { token, pending: unsealed, sealed: true, pushed: null } : null
}

async function unsealWithAnyKey(
  c: Context,
  text: string,
): Promise<PendingAuthorization | PushedReference | null> {
  for (const keys of allKeys(c.secrets)) {
    const pending = await unseal<PendingAuthorization | PushedReference>(text, sealOptions(c, keys))
    if (pending !== null) return pending
  }
  return null
}

/** True for the first call only: a pending request allows one answer. */
export async function answerRequest(c: Context, waiting: AnswerableRequest): Promise<boolean> {
  const { pending_hash, expires_at, sealed } = waiting
  if (sealed) return c.storage.pending.put({ kind: 'answered', pending_hash, expires_at })
  return (await c.storage.pending.take(pending_hash)) !== null
}

export const resumeUrl = (c: Context, { token }: PendingRequest): string =>
  `${c.realm.urls.resume}?${new URLSearchParams({ id: token })}`

/** The number is the version of the sealed record: a server with another version cannot open the token. */
const sealOptions = (c: Context, { requests }: DerivedKeys = c.secrets) => ({
  secret: requests,
  use: `authorization request 1 ${c.realm.id}`,
})
