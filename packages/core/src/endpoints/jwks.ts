/** `GET /.well-known/jwks.json`: RFC 7517 §5, public members only. */

import type { Context } from '../context.js'
import { serveStatic } from '../responses.js'
import { keyRing } from '../steps/signing-keys.js'

export async function jwks(c: Context): Promise<Response> {
  const ring = await keyRing(c)
  return serveStatic(c.request, ring.jwks)
}
