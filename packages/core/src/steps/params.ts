/** Reads a request's parameters from the one place where they belong, bounded. */

import type { Context } from '../context.js'
import { OAuthError } from '../errors.js'
import { type Params, parseParams } from '../protocol/params.js'

const MAX_BODY_BYTES = 64 * 1024

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The query on GET, the form on POST; never merged. */
export const queryOrForm = (c: Context): Promise<Params> | Params =>
  c.request.method === 'GET' ? query(c) : form(c)

export function query(c: Context): Params {
  if (c.search.length > MAX_BODY_BYTES)
    throw new OAuthError('invalid_request', 'The query is larger than 64 KiB', { status: 414 })
  return parseParams(c.search.slice(1))
}

/** @throws OAuthError `invalid_request`: not a form, over 64 KiB (413), or not UTF-8. */
export async function form(c: Context): Promise<Params> {
  const type = c.request.headers.get('content-type')
  if (type !== FORM_TYPE && type?.split(';')[0]?.trim().toLowerCase() !== FORM_TYPE)
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded')
  return parseParams(await bodyText(c))
}

/** The body as UTF-8 text. It is read no further than the limit. */
export async function bodyText({ request, body: read }: Pick<Context, 'request' | 'body'>): Promise<string> {
  try {
    if (read !== undefined) return decoded(read ?? new Uint8Array())
    const announced = request.headers.get('content-length')
    if (announced === null) return decoded(await streamed(request))
    if (Number(announced) > MAX_BODY_BYTES) throw tooLarge()
    // Its length is known, and HTTP gives no byte more: no stream has to be built for it.
    return decoded(new Uint8Array(await request.arrayBuffer()))
  } catch (cause) {
    if (cause instanceof OAuthError) throw cause
    throw new OAuthError('invalid_request', 'The body could not be read as UTF-8 text', { cause })
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decoded(body: Uint8Array): string {
  if (body.byteLength > MAX_BODY_BYTES) throw tooLarge()
  return utf8.decode(body)
}

const tooLarge = () => new OAuthError('invalid_request', 'The body is larger than 64 KiB', { status: 413 })

/** A body of unknown length, read no further than the limit. */
async function streamed({ body }: Request): Promise<Uint8Array> {
  const parts = [] as Uint8Array[]
  const reader = body?.getReader()
  let size = 0
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    size += part.value.byteLength
    if (size > MAX_BODY_BYTES) {
      reader?.cancel().catch(() => {})
      throw tooLarge()
    }
    parts.push(part.value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
