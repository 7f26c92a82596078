/** Stores a client that registers itself, or finds the one that it is already (`oidc.clients.registration.reuse`). */

import { fieldsSetBy } from '../../clients/field-lists.js'
import { allKeys } from '../../crypto/secrets.js'
import type { Context } from '../../realm/context.js'
import { countUnderCeiling } from '../../request/ceiling.js'
import type { Client } from '../../storage/storage.js'
import { base64url, utf8 } from '../../util/base64url.js'
import { hmacBytes } from '../../util/secret.js'

/**
 * Returns the stored client. It has another `client_id` than the given one if the id follows from the metadata.
 * @throws OAuthError `temporarily_unavailable` 429 when the realm, or the client's address, has registered too many clients today
 */
export async function registerClient(c: Context, client: Client): Promise<Client> {
  const { reuse } = c.realm.settings.clients.registration
  const twins = reuse && isPublic(client) ? twinsOf(c, client) : []
  const found = await findTwin(c, twins)
  if (found !== null) return found
  const release = await countRegistration(c)
  const [twin] = twins
  if (twin !== undefined) {
    if (await c.storage.clients.create(twin)) return registered(c, twin)
    // The same client has registered at the same moment, or the id stays taken: by a client that was revoked, deleted or
    // changed, or that ends soon.
    const meanwhile = await findTwin(c, twins)
    if (meanwhile !== null) {
      await release()
      return meanwhile
    }
  }
  if (!(await c.storage.clients.create(client))) throw new Error('A new client_id is taken already')
  return registered(c, client)
}

function registered(c: Context, client: Client): Client {
  c.emit({ type: 'client.registered', client_id: client.client_id, client_name: client.client_name })
  return client
}

/** Counted last, so that requests that are refused for another reason do not use up the realm's limit. */
const countRegistration = (c: Context): Promise<() => Promise<void>> =>
  countUnderCeiling(c, {
    counter: 'registrations',
    of: 'realm',
    max: c.realm.settings.throttle.registrations_per_day,
    window_seconds: 86_400,
    what: 'registrations a day',
    status: 429,
  })

/** A client with a secret is never reused: only its hash is stored, and each client needs one of its own. */
const isPublic = ({ token_endpoint_auth_method }: Client): boolean => token_endpoint_auth_method === 'none'

/** What the id follows from. A release that adds a field to the record does not change the ids. */
const METADATA_FIELDS = [
  'client_name',
  'redirect_uris',
  'post_logout_redirect_uris',
  'grant_types',
  'response_types',
  'backchannel_logout_uri',
  'backchannel_logout_session_required',
] as const

/** Part of what the id follows from where the client has sent them. */
const LATER_FIELDS = fieldsSetBy('registration').filter(
  (field) => field !== 'token_endpoint_auth_method' && !METADATA_FIELDS.some((first) => first === field),
)

/**
 * The client with the id that follows from its metadata: by the current secret of the provider, then by the previous one.
 * Without the secret, the id of other metadata cannot be computed, and no two metadata with the same id can be found.
 */
function twinsOf(c: Context, client: Client): Client[] {
  const fields = METADATA_FIELDS.map((field) => comparable(client[field]))
  const later = LATER_FIELDS.flatMap((field) => (client[field] === null ? [] : [[field, client[field]]]))
  const text = JSON.stringify([c.realm.id, fields, ...(later.length > 0 ? [later] : [])])
  return allKeys(c.secrets).map(({ registrations }) => {
    const digest = hmacBytes(registrations, utf8(text))
    // Of the form of `newId`.
    const client_id = base64url(digest.subarray(0, 16)).replace(/^-/, 'A')
    return { ...client, client_id }
  })
}

/** The order of a list has no meaning. URIs are compared exactly, as the authorization endpoint does. */
const comparable = (value: unknown): unknown => (Array.isArray(value) ? [...new Set(value)].sort() : value)

/** Read from storage: the client may have been revoked, deleted or changed a moment ago. */
async function findTwin(c: Context, twins: readonly Client[]): Promise<Client | null> {
  for (const twin of twins) {
    const stored = await c.storage.clients.findStored(twin.client_id)
    if (stored === null || !isUnchanged(stored, twin) || endsSoon(c, stored)) continue
    c.emit({ type: 'client.registration_reused', client_id: stored.client_id })
    return stored
  }
  return null
}

/** What only the time of the registration decides. */
const TIME_FIELDS: ReadonlySet<string> = new Set(['client_id_issued_at', 'expires_at'])

/** Whether the stored client is what the registration would store: nothing was changed, and it was not revoked or deleted. */
const isUnchanged = (stored: Client, twin: Client): boolean =>
  Object.entries(stored).every(
    ([field, value]) =>
      TIME_FIELDS.has(field) ||
      JSON.stringify(comparable(value)) === JSON.stringify(comparable(twin[field as keyof Client])),
  )

const MAX_SIGN_IN_SECONDS = 3_600

/**
 * Whether the client, which was never used, would be deleted before its user has signed in. It cannot be kept for longer:
 * without a sign-in, two registrations would then store a client for ever.
 */
function endsSoon(c: Context, { expires_at }: Client): boolean {
  const { unused_lifetime } = c.realm.settings.clients.registration
  return expires_at !== null && expires_at - c.now() < Math.min(MAX_SIGN_IN_SECONDS, unused_lifetime / 2)
}
