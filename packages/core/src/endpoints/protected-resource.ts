/** `GET /.well-known/oauth-protected-resource/{path?}`: RFC 9728 §2, §3. */

import type { Context } from '../context.js'
import type { Realm, Resource } from '../realm.js'
import { CORS, notFound, type StaticDocument, serveStatic, staticJson } from '../responses.js'

const documents = new WeakMap<Resource, StaticDocument>()

export async function protectedResource(c: Context): Promise<Response> {
  const wanted = trimSlashes(c.path)
  const resource = c.realm.resources.find(({ key, external }) => !external && trimSlashes(key) === wanted)
  if (!resource) return notFound(CORS)
  const document = documents.get(resource) ?? staticJson(metadata(c.realm, resource))
  documents.set(resource, document)
  return serveStatic(c.request, document)
}

const trimSlashes = (path: string): string => path.replace(/^\/+|\/+$/g, '')

const metadata = ({ issuer }: Realm, { uri, scopes }: Resource) => ({
  resource: uri,
  authorization_servers: [issuer],
  scopes_supported: scopes,
  bearer_methods_supported: ['header'],
})
