/** Documents that are the same for every request: discovery, JWKS, protected resource metadata. */

import { sha256 } from '../util/secret.js'
import { CORS, JSON_TYPE } from './responses.js'

/** A document that is serialized once, and that pages of any origin may read. */
export interface StaticDocument {
  body: string
  headers: Record<string, string>
  etag: string
}

export function staticJson(document: unknown): StaticDocument {
  const body = JSON.stringify(document)
  const etag = `"${sha256(body)}"`
  const headers = { ...JSON_TYPE, 'cache-control': 'max-age=3600, public', etag, ...CORS }
  return { body, headers, etag }
}

export function serveStatic(request: Request, document: StaticDocument): Response {
  const held = request.headers.get('if-none-match')
  const fresh = held?.split(',').some((tag) => isSame(tag.trim(), document.etag))
  if (fresh) return new Response(null, { status: 304, headers: document.headers })
  return new Response(document.body, { headers: document.headers })
}

/** RFC 9110 §13.1.2: `*` is any, and the comparison is weak. */
const isSame = (tag: string, etag: string): boolean => tag === '*' || tag === etag || tag === `W/${etag}`
