/** Reads a request's parameters from the one place where they belong, bounded. */

import type { Context } from '../context.js'
import { OAuthError } from '../errors.js'
import { type Params, parseParams } from '../protocol/params.js'

export const BODY_LIMIT = 64 * 1024

/** The query on GET, the form on POST; never merged. */
export const queryOrForm = (c: Context): Promise<Params> | Params =>
  c.request.method === 'GET' ? query(c) : form(c)

export function query(c: Context): Params {
  if (c.url.search.length > BODY_LIMIT)
    throw new OAuthError('invalid_request', 'The query is larger than 64 KiB', { status: 414 })
  return parseParams(c.url.search.slice(1))
}

/** @throws OAuthError `invalid_request`: not a form, over 64 KiB (413), or not UTF-8. */
export async function form(c: Context): Promise<Params> {
  const type = c.request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded')
  return parseParams(await bodyText(c.request))
}

/** The body as UTF-8 text. It is read no further than the limit. */
export async function bodyText(request: Request): Promise<string> {
  const tooLarge = () => new OAuthError('invalid_request', 'The body is larger than 64 KiB', { status: 413 })
  if (Number(request.headers.get('content-length') ?? 0) > BODY_LIMIT) throw tooLarge()
  if (request.body === null) return ''
  const reader = request.body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength
      if (size > BODY_LIMIT) throw tooLarge()
      text += decoder.decode(part.value, { stream: true })
    }
    return text + decoder.decode()
  } catch (cause) {
    reader.cancel().catch(() => {})
    if (cause instanceof OAuthError) throw cause
    throw new OAuthError('invalid_request', 'The body could not be read as UTF-8 text', { cause })
  }
}
