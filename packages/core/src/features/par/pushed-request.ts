/**
 * Pushed authorization requests (RFC 9126): stored when the client pushes them, and taken when they are answered. Until then, the
 * authorization endpoint may load one any number of times: a user reloads, goes back and opens a second tab.
 */

import {
  countStored,
  holdPushedRequest,
  kindCounter,
  type PendingRequest,
} from '../../authorize/pending-request.js'
import { OAuthError } from '../../http/errors.js'
import { type Params, refuseRepeated, required } from '../../http/params.js'
import type { AuthenticatedClient, Context } from '../../realm/context.js'
import type { CatalogReason } from '../../refusals/hints.js'
import { findOneTime } from '../../request/one-time-token.js'
import { throttle } from '../../request/throttle.js'
import type { AuthorizationRequest, PushedAuthorization } from '../../storage/storage.js'
import { newSecret, sha256 } from '../../util/secret.js'

/** RFC 9126 §2.2. A secret of 256 bits follows. */
const REQUEST_URI_PREFIX = 'urn:ietf:params:oauth:request_uri:'

/** Until a request must be used for the first time. FAPI 2.0 Security Profile §5.3.2.2 demands less than 600. */
export const PUSHED_REQUEST_SECONDS = 90

/** Requests that are stored within ten minutes, of an authenticated client that the operator has made. */
const MAX_OF_CLIENT = 60_000
/** The same for all public clients of the operator together, and for all other clients. Each request has at most 16 KiB. */
const MAX_OF_OTHERS = 10_000

/**
 * Counts a request, before it is stored. A stranger can push as a public client, and as a client that registered itself or has
 * published its document.
 * @throws OAuthError `temporarily_unavailable` when too many requests are stored
 */
export async function countPushedRequest(c: Context, { client, method }: AuthenticatedClient): Promise<void> {
  const what = 'pushed authorization requests'
  if (method !== 'none' && client.origin === 'operator') {
    const counter = `par-client:${client.client_id}`
    return countStored(c, { counter, of: 'client', max: MAX_OF_CLIENT, what })
  }
  await throttle(c, 'par', c.realm.settings.throttle.authorize)
  await countStored(c, { counter: kindCounter('par', client), of: 'realm', max: MAX_OF_OTHERS, what })
}

/** Stores a request that was counted. @returns The request_uri. */
export async function storePushedRequest(c: Context, request: AuthorizationRequest): Promise<string> {
  const { tokens } = c.realm.settings
  const secret = newSecret(c.random)
  const first_use_before = c.now() + PUSHED_REQUEST_SECONDS
  await c.storage.pending.put({
    kind: 'pushed',
    pending_hash: sha256(secret),
    request,
    first_use_before,
    expires_at: first_use_before + tokens.pending_authorization,
  })
  return REQUEST_URI_PREFIX + secret
}

/** Whether the parameters name a pushed request. Any other request_uri is not supported. */
export const namesPushedRequest = (c: Context, params: Params): boolean =>
  c.realm.policy.pushed !== 'off' && params.get('request_uri')?.startsWith(REQUEST_URI_PREFIX) === true

/** The pushed request of the parameters `client_id` and `request_uri`. @throws OAuthError */
export async function findPushedRequest(c: Context, params: Params): Promise<PendingRequest> {
  refuseRepeated(params, ['client_id', 'request_uri'])
  const client_id = required(params, 'client_id')
  const secret = required(params, 'request_uri').slice(REQUEST_URI_PREFIX.length)
  const pushed = await findOneTime(c, secret)
  if (pushed?.kind !== 'pushed') throw unusable('unknown_request_uri')
  if (pushed.request.client_id !== client_id) throw foreign()
  c.facts.client_id = client_id
  if (!(await isInTime(c, pushed))) throw unusable('expired_request_uri')
  return holdPushedRequest(c, pushed, null)
}

/** The first use in time is stored: from then on, the user has as long as for a request that was not pushed. */
async function isInTime(c: Context, pushed: PushedAuthorization): Promise<boolean> {
  const { expires_at, first_use_before } = pushed
  if (expires_at <= c.now()) return false
  const pending_hash = sha256(`used ${pushed.pending_hash}`)
  if (first_use_before <= c.now()) return (await c.storage.pending.find(pending_hash)) !== null
  await c.storage.pending.put({ kind: 'pushed_used', pending_hash, expires_at })
  return true
}

/** Who knows the request_uri of another client learns nothing new: it is a secret of 256 bits. */
const foreign = (): OAuthError =>
  new OAuthError(
    'invalid_request_uri',
    'The request_uri belongs to another client: the client_id is not the one that has pushed it',
    { reason: 'foreign_request_uri' },
  )

/** One text for the other reasons. */
const unusable = (reason: CatalogReason): OAuthError =>
  new OAuthError(
    'invalid_request_uri',
    'The request_uri is unknown, expired or used already. Go back to the application and start again.',
    { reason },
  )
