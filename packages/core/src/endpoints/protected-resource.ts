/** `GET /.well-known/oauth-protected-resource/{path?}`: RFC 9728 §2, §3. */

import { CORS } from '../http/responses.js'
import { notFound } from '../http/route-responses.js'
import { type StaticDocument, serveStatic, staticJson } from '../http/static-document.js'
import type { Context } from '../realm/context.js'
import type { Realm, Resource } from '../realm/realm.js'
import { trimSlashes } from '../util/slashes.js'

const byPath = new WeakMap<Realm, ReadonlyMap<string, Resource>>()
const documents = new WeakMap<Resource, StaticDocument>()

export async function protectedResource(c: Context): Promise<Response> {
  const document = resourceDocument(c, c.path)
  return document ? serveStatic(c.request, document) : notFound(CORS)
}

/**
 * @param path What follows the route's own path.
 * @returns Null when the realm has no resource there.
 */
export function resourceDocument({ realm }: Pick<Context, 'realm'>, path: string): StaticDocument | null {
  const resource = resourcesByPath(realm).get(trimSlashes(path))
  if (!resource) return null
  const document = documents.get(resource) ?? staticJson(resourceMetadata(realm, resource))
  documents.set(resource, document)
  return document
}

function resourcesByPath(realm: Realm): ReadonlyMap<string, Resource> {
  const known = byPath.get(realm)
  if (known) return known
  const own = realm.resources.filter(({ external }) => !external)
  const resources = new Map(own.map((resource) => [trimSlashes(resource.key), resource]))
  byPath.set(realm, resources)
  return resources
}

const resourceMetadata = (realm: Realm, { uri, scopes, bound_tokens_only }: Resource) => ({
  resource: uri,
  authorization_servers: [realm.issuer],
  scopes_supported: scopes,
  bearer_methods_supported: ['header'],
  ...(realm.policy.proofs && {
    dpop_signing_alg_values_supported: realm.policy.proofs.algorithms,
    dpop_bound_access_tokens_required: bound_tokens_only,
  }),
})
