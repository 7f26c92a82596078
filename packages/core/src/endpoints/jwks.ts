/** `GET /.well-known/jwks.json`: RFC 7517 §5, public members only. */

import type { OpenKey } from '../crypto/keys.js'
import { type StaticDocument, serveStatic, staticJson } from '../http/static-document.js'
import type { Context, KeyRing, RealmContext } from '../realm/context.js'
import { freshKeyRing, keyRing } from '../tokens/signing-keys.js'
import { SIGNING_ALGORITHMS } from '../util/signing-algorithms.js'

const documents = new WeakMap<KeyRing['keys'], StaticDocument>()

export async function jwks(c: Context): Promise<Response> {
  const { keys } = await keyRing(c)
  return serveStatic(c.request, documentOf(keys))
}

/** The document, without waiting: null until the keys are loaded, and when it is time to load them again. */
export function loadedJwks(c: RealmContext): StaticDocument | null {
  const ring = freshKeyRing(c)
  return ring && documentOf(ring.keys)
}

function documentOf(keys: KeyRing['keys']): StaticDocument {
  const document = documents.get(keys) ?? staticJson({ keys: byAlgorithm(keys).map(({ jwk }) => jwk) })
  documents.set(keys, document)
  return document
}

/** RSA keys first: some clients take the first key, without looking at its type. */
const byAlgorithm = (keys: readonly OpenKey[]): OpenKey[] =>
  SIGNING_ALGORITHMS.flatMap((alg) => keys.filter((key) => key.alg === alg))
