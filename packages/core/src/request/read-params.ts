/** Reads a request's parameters from the query or from the form, with a limit of 64 KiB. */

import { OAuthError } from '../http/errors.js'
import { type Params, parseParams } from '../http/params.js'
import type { Context } from '../realm/context.js'
import { utf8Text } from '../util/base64url.js'

const MAX_BODY_BYTES = 64 * 1024

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The query on GET, the form on POST; never merged. */
export const queryOrForm = (c: Context): Promise<Params> | Params =>
  c.request.method === 'GET' ? query(c) : form(c)

export function query(c: Context): Params {
  if (c.search.length > MAX_BODY_BYTES)
    throw new OAuthError('invalid_request', 'The query is larger than 64 KiB', {
      status: 414,
      reason: 'too_large',
    })
  return parsed(c, c.search.slice(1))
}

/** @throws OAuthError `invalid_request`: not a form, over 64 KiB (413), or not UTF-8. */
export function form(c: Context): Promise<Params> | Params {
  const type = c.request.headers.get('content-type')
  if (type !== FORM_TYPE && type?.split(';')[0]?.trim().toLowerCase() !== FORM_TYPE)
    throw new OAuthError(
      'invalid_request',
      'The body must be application/x-www-form-urlencoded',
      'not_a_form',
    )
  const text = bodyText(c)
  return typeof text === 'string' ? parsed(c, text) : text.then((body) => parsed(c, body))
}

function parsed(c: Context, text: string): Params {
  const params = parseParams(text)
  c.facts.params = params
  return params
}

/** The body as UTF-8 text: at once, if the host has read it. */
export function bodyText({ request, body }: Pick<Context, 'request' | 'body'>): Promise<string> | string {
  if (body !== undefined) return decoded(body)
  return readBodyBytes(request, MAX_BODY_BYTES).catch(refuseUnreadable).then(decoded)
}

function decoded(body: Uint8Array | null | 'too_large'): string {
  if (body === null) return ''
  if (body === 'too_large' || body.byteLength > MAX_BODY_BYTES)
    throw new OAuthError('invalid_request', 'The body is larger than 64 KiB', {
      status: 413,
      reason: 'too_large',
    })
  try {
    return utf8Text(body)
  } catch (cause) {
    refuseUnreadable(cause)
  }
}

function refuseUnreadable(cause: unknown): never {
  throw new OAuthError('invalid_request', 'The body could not be read as UTF-8 text', {
    cause,
    reason: 'unreadable_body',
  })
}

/**
 * The body of a request, or null when it has none. A body of more than `max_bytes` is read no further.
 * @throws when the connection is closed early.
 */
export async function readBodyBytes(
  request: Request,
  max_bytes: number,
): Promise<Uint8Array<ArrayBuffer> | null | 'too_large'> {
  const announced = request.headers.get('content-length')
  if (Number(announced) > max_bytes) return 'too_large'
  if (announced === null) return request.body === null ? null : readStream(request.body, max_bytes)
  // HTTP delivers no more bytes than announced, and on Node a stream would cost more than the rest of the request.
  const body = new Uint8Array(await request.arrayBuffer())
  return body.byteLength > max_bytes ? 'too_large' : body
}

async function readStream(
  stream: ReadableStream<Uint8Array>,
  max_bytes: number,
): Promise<Uint8Array<ArrayBuffer> | 'too_large'> {
  const parts: Uint8Array[] = []
  const reader = stream.getReader()
  let size = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength
    if (size > max_bytes) {
      // Not awaited: the sender may never react to it.
      reader.cancel().catch(() => {})
      return 'too_large'
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
