/** `GET /.well-known/jwks.json`: RFC 7517 §5, public members only. */

import type { Context, KeyRing } from '../context.js'
import { SIGNING_ALGORITHMS } from '../protocol/signing-algorithms.js'
import { type StaticDocument, serveStatic, staticJson } from '../static-document.js'
import { keyRing } from '../steps/signing-keys.js'
import type { OpenKey } from '../tokens/keys.js'

const documents = new WeakMap<KeyRing['keys'], StaticDocument>()

export async function jwks(c: Context): Promise<Response> {
  const { keys } = await keyRing(c)
  const document = documents.get(keys) ?? staticJson({ keys: byAlgorithm(keys).map(({ jwk }) => jwk) })
  documents.set(keys, document)
  return serveStatic(c.request, document)
}

/** RSA keys first: some clients take the first key, without looking at its type. */
const byAlgorithm = (keys: readonly OpenKey[]): OpenKey[] =>
  SIGNING_ALGORITHMS.flatMap((alg) => keys.filter((key) => key.alg === alg))
