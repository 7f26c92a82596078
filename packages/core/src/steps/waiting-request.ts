/**
 * Authorization requests that wait for a login or a consent. The request is sealed in its one-time token, which the browser
 * carries, so that a request without a session stores nothing. Only requests that are too long for a URL are stored, and
 * their number is limited.
 */

import type { Context } from '../context.js'
import { OAuthError } from '../errors.js'
import { promptsLogin } from '../protocol/authorization-request.js'
import { newSecret, sha256 } from '../protocol/secret.js'
import type { AuthorizationRequest, LoginReason, PendingAuthorization } from '../storage.js'
import { seal, unseal } from '../tokens/sealed.js'
import { allKeys, type DerivedKeys } from '../tokens/secrets.js'
import { throttle } from './throttle.js'

export interface WaitingRequest {
  /** The one-time token: the sealed request itself, or the name of the stored one. */
  token: string
  pending: PendingAuthorization
  /** False when the request is stored. */
  sealed: boolean
}

/** The parts of a waiting request that are needed to mark it as answered. */
export type AnswerableRequest = Pick<PendingAuthorization, 'pending_hash' | 'expires_at'> &
  Pick<WaitingRequest, 'sealed'>

/** Characters. Half of the request line that proxies usually accept. */
const MAX_SEALED_LENGTH = 4096
const SEALED_PREFIX = 'sealed.'
/** Requests of one realm that are stored within STORED_WINDOW_SECONDS, from all addresses. Each has at most 16 KiB. */
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
): Promise<WaitingRequest> {
  const wantsNewLogin = promptsLogin(request) || request.max_age !== null || login_reason === 'acr'
  const pending: PendingAuthorization = {
    kind: 'authorization',
    pending_hash,
    request,
    login_required_since: login_reason !== null && wantsNewLogin ? c.now() : null,
    login_reason,
    expires_at: c.now() + c.realm.settings.tokens.pending_authorization,
  }
  const token = SEALED_PREFIX + (await seal(pending, sealOptions(c), c.random))
  return token.length <= MAX_SEALED_LENGTH ? { token, pending, sealed: true } : store(c, pending)
}

async function store(c: Context, unsealed: PendingAuthorization): Promise<WaitingRequest> {
  await throttle(c, 'authorize', c.realm.settings.throttle.authorize)
  if ((await c.storage.throttle.hit('authorize', STORED_WINDOW_SECONDS, c.now())) > MAX_STORED_REQUESTS)
    throw new OAuthError('temporarily_unavailable', 'Too many long requests are waiting. Shorten the state', {
      reason: 'too_many_stored_requests',
    })
  const token = newSecret(c.random)
  const pending = { ...unsealed, pending_hash: sha256(token) }
  await c.storage.pending.put(pending)
  return { token, pending, sealed: false }
}

/** Null when the request is unknown, expired or answered. */
export async function findRequest(c: Context, token: string): Promise<WaitingRequest | null> {
  const sealed = token.startsWith(SEALED_PREFIX)
  const pending = sealed ? await unsealedRequest(c, token) : await c.storage.pending.find(sha256(token))
  if (pending?.kind !== 'authorization' || pending.expires_at <= c.now()) return null
  return { token, pending, sealed }
}

async function unsealedRequest(c: Context, token: string): Promise<PendingAuthorization | null> {
  const pending = await unsealWithAnyKey(c, token.slice(SEALED_PREFIX.length))
  if (pending === null) return null
  const answered = (await c.storage.pending.find(pending.pending_hash)) !== null
  return answered ? null : pending
}

async function unsealWithAnyKey(c: Context, text: string): Promise<PendingAuthorization | null> {
  for (const keys of allKeys(c.secrets)) {
    const pending = await unseal<PendingAuthorization>(text, sealOptions(c, keys))
    if (pending !== null) return pending
  }
  return null
}

/** True for the first call only: a waiting request allows one answer. */
export async function answerRequest(c: Context, waiting: AnswerableRequest): Promise<boolean> {
  const { pending_hash, expires_at, sealed } = waiting
  if (sealed) return c.storage.pending.put({ kind: 'answered', pending_hash, expires_at })
  return (await c.storage.pending.take(pending_hash)) !== null
}

export const resumeUrl = (c: Context, { token }: WaitingRequest): string =>
  `${c.realm.urls.resume}?${new URLSearchParams({ id: token })}`

/** The number is the version of the sealed record: a server with another version cannot open the token. */
const sealOptions = (c: Context, { requests }: DerivedKeys = c.secrets) => ({
  secret: requests,
  use: `authorization request 1 ${c.realm.id}`,
})
