/** `GET /.well-known/jwks.json`: RFC 7517 §5, public members only. */

import type { Context, KeyRing } from '../context.js'
import { type StaticDocument, serveStatic, staticJson } from '../static-document.js'
import { keyRing } from '../steps/signing-keys.js'

const documents = new WeakMap<KeyRing['keys'], StaticDocument>()

export async function jwks(c: Context): Promise<Response> {
  const { keys } = await keyRing(c)
  const document = documents.get(keys) ?? staticJson({ keys: keys.map(({ jwk }) => jwk) })
  documents.set(keys, document)
  return serveStatic(c.request, document)
}
