/** The keys with which an assertion of a client may be signed: those of its record, or those at its `jwks_uri`. */

import { jwksUriFault, keyAlgorithms } from '../../clients/client-keys.js'
import type { UsedBy } from '../../documents/fetch-budgets.js'
import type { Context } from '../../realm/context.js'
import { DocumentError } from '../../refusals/document-error.js'
import type { Client, JsonWebKeySet } from '../../storage/storage.js'
import type { ClientAssertion } from './assertion.js'
import type { KeySets } from './key-sets.js'

export type Jwk = JsonWebKeySet['keys'][number]

const MAX_TRIED_KEYS = 8

/**
 * The client's keys that fit the algorithm of the assertion; with a `kid`, only those that have it. Keys at a `jwks_uri` are
 * read again for a `kid` that they do not have, once in 60 seconds.
 * @throws DocumentError when the keys cannot be read; OAuthError 429 when too many documents are read.
 */
export async function fittingKeys(
  c: Context,
  client: Client,
  { assertion, key_sets }: { assertion: ClientAssertion; key_sets: KeySets },
): Promise<Jwk[]> {
  const { jwks, jwks_uri, token_endpoint_auth_signing_alg: registered } = client
  if (registered !== null && registered !== assertion.alg) return []
  if (jwks_uri === null) return fitting(jwks, assertion)
  if (jwksUriFault(jwks_uri, c.realm.policy.reaches_loopback) !== null) throw new DocumentError('invalid_url')
  const { client_id } = client
  const { kid } = assertion
  const { address } = c
  const need = { client_id, jwks_uri, kid, address, usedBy: () => usedBy(c, client) }
  return fitting(await key_sets.read(need), assertion)
}

function fitting(jwks: JsonWebKeySet | null, { alg, kid }: ClientAssertion): Jwk[] {
  const fits = (key: Jwk) => keyAlgorithms(key).includes(alg) && (kid === null || key.kid === kid)
  return (jwks?.keys ?? []).filter(fits).slice(0, MAX_TRIED_KEYS)
}

/** Whose budgets count: then invented clients cannot use up those of its keys. */
async function usedBy(c: Context, { origin, client_id, expires_at }: Client): Promise<UsedBy> {
  if (origin === 'operator') return 'operator'
  const is_document = origin === 'metadata_document'
  const is_used = is_document
    ? (await c.storage.client_documents.find(client_id)) !== null
    : expires_at === null
  return is_used ? 'users' : 'none'
}
