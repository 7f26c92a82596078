/** The keys with which an assertion of a client may be signed: those of its record, or those at its `jwks_uri`. */

import type { Context, RealmContext } from '../context.js'
import { type DocumentCache, documentCache } from '../documents/document-cache.js'
import { DocumentError } from '../documents/document-error.js'
import type { ClientAssertion } from '../protocol/client-assertion.js'
import { jwksUriFault, keyAlgorithms, publishedClientKeys } from '../protocol/client-keys.js'
import type { Client, JsonWebKeySet } from '../storage.js'

export type Jwk = JsonWebKeySet['keys'][number]

const MAX_TRIED_KEYS = 8
const MAX_KEY_SET_BYTES = 64 * 1024
/** In one realm. */
const MAX_KEY_SETS = 1000
/** Seconds after `fetched_at` for which keys are used while their host gives no new ones. */
const MAX_STALE_SECONDS = 86_400
/** Seconds between two requests for the same keys that assertions with an unknown `kid` cause. */
const REFETCH_SECONDS = 60

/** The keys at the `jwks_uri` of the clients of one realm. */
interface PublishedKeys {
  cache: DocumentCache<JsonWebKeySet>
  /** By `jwks_uri`: the last request that an unknown `kid` has caused. */
  refetches: Map<string, { at: number; done: Promise<unknown> }>
}

const published = new WeakMap<RealmContext['key_ring'], PublishedKeys>()

/**
 * The client's keys that fit the algorithm of the assertion; with a `kid`, only those that have it. Keys at a `jwks_uri` are
 * read again for a `kid` that they do not have, once in 60 seconds.
 * @throws DocumentError when the keys cannot be read; OAuthError 429 when too many documents are read.
 */
export async function fittingKeys(c: Context, client: Client, assertion: ClientAssertion): Promise<Jwk[]> {
  const { jwks, jwks_uri, token_endpoint_auth_signing_alg: registered } = client
  if (registered !== null && registered !== assertion.alg) return []
  if (jwks_uri === null) return fitting(jwks, assertion)
  const known = await readKeys(c, client, { jwks_uri })
  const { kid } = assertion
  if (kid === null || known.keys.some((key) => key.kid === kid)) return fitting(known, assertion)
  await readAgain(c, client, jwks_uri)
  return fitting(publishedKeys(c).cache.peek(jwks_uri)?.value ?? null, assertion)
}

function fitting(jwks: JsonWebKeySet | null, { alg, kid }: ClientAssertion): Jwk[] {
  const fits = (key: Jwk) => keyAlgorithms(key).includes(alg) && (kid === null || key.kid === kid)
  return (jwks?.keys ?? []).filter(fits).slice(0, MAX_TRIED_KEYS)
}

/** @param fetched_since Keys that were fetched before this time are read again, even if they are fresh. */
async function readKeys(
  c: Context,
  client: Client,
  { jwks_uri, fetched_since = 0 }: { jwks_uri: string; fetched_since?: number },
): Promise<JsonWebKeySet> {
  const { allow_loopback } = c.realm.settings.clients.metadata_documents
  if (jwksUriFault(jwks_uri, allow_loopback) !== null) throw new DocumentError('invalid_url')
  const { cache } = publishedKeys(c)
  const known = cache.peek(jwks_uri)
  const is_fresh = known !== null && known.fresh_until > c.now() && known.fetched_at >= fetched_since
  const in_use = is_fresh || (await isInUse(c, client))
  const need = { address: c.address, in_use, fetched_since, max_stale: MAX_STALE_SECONDS }
  return (await cache.readOrStale(jwks_uri, need)).value
}

/** Waits for the request of another assertion, if there was one within the last 60 seconds, instead of causing a new one. */
function readAgain(c: Context, client: Client, jwks_uri: string): Promise<unknown> {
  const { refetches } = publishedKeys(c)
  const last = refetches.get(jwks_uri)
  const at = c.now()
  if (last !== undefined && at < last.at + REFETCH_SECONDS) return last.done
  const done = readKeys(c, client, { jwks_uri, fetched_since: at })
  refetches.delete(jwks_uri)
  refetches.set(jwks_uri, { at, done })
  const oldest = refetches.keys().next().value
  if (refetches.size > MAX_KEY_SETS && oldest !== undefined) refetches.delete(oldest)
  return done
}

/** Whether a user or the operator has used the client: then invented clients cannot use up the budgets of its keys. */
async function isInUse(c: Context, { origin, client_id, expires_at }: Client): Promise<boolean> {
  if (origin === 'metadata_document') return (await c.storage.client_documents.find(client_id)) !== null
  return expires_at === null
}

function publishedKeys(c: Context): PublishedKeys {
  const known = published.get(c.key_ring)
  if (known) return known
  const { realm, now, fetch_budgets: budgets } = c
  const cache = documentCache<JsonWebKeySet>({
    realm: realm.id,
    budgets,
    now,
    fetch_document: c.fetch_document ?? unavailable,
    max_bytes: MAX_KEY_SET_BYTES,
    max_entries: MAX_KEY_SETS,
    parse: parseKeys,
  })
  const made: PublishedKeys = { cache, refetches: new Map() }
  published.set(c.key_ring, made)
  return made
}

/** Of a provider without `fetch_document`. */
const unavailable = () => Promise.reject(new DocumentError('unreachable'))

function parseKeys(json: unknown): JsonWebKeySet {
  const keys = publishedClientKeys(json)
  if (keys === null) throw new DocumentError('invalid_keys')
  return keys
}
