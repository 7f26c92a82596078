/** Reads a posted form of limited size. It returns a fault instead of throwing. */

import { hasTooManyParameters, readBodyBytes } from '@ostiary/core'

export type FormFault = 'wrong_type' | 'too_large' | 'malformed'
export type Form<Name extends string> = { fields: Record<Name, string> } | { fault: FormFault }

/** 20 KiB: the longest sealed request, username and password, percent-encoded. */
export const MAX_FORM_BYTES = 20_480

export interface FormRequest {
  request: Request
  /** The body, when the host has read it already. */
  body?: Uint8Array | null | undefined
}

/** Reads the parameters, from which `pickFields` takes those of the form that was sent. */
export async function readForm(
  { request, body: bytes }: FormRequest,
  limit = MAX_FORM_BYTES,
): Promise<{ params: URLSearchParams } | { fault: FormFault }> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return { fault: 'wrong_type' }
  const body = bytes === undefined ? await readBody(request, limit) : withinLimit(bytes, limit)
  if (typeof body === 'string') return { fault: body }
  // Bytes that are not UTF-8 become U+FFFD, which matches no stored value.
  const text = new TextDecoder().decode(body)
  return hasTooManyParameters(text) ? { fault: 'malformed' } : { params: new URLSearchParams(text) }
}

/** The named fields. Each must be in the form exactly once; other fields are ignored. */
export function pickFields<Name extends string>(params: URLSearchParams, names: readonly Name[]): Form<Name> {
  const fields = names.map((name) => [name, params.getAll(name)] as const)
  if (fields.some(([, values]) => values.length !== 1)) return { fault: 'malformed' }
  return {
    fields: Object.fromEntries(fields.map(([name, [value]]) => [name, value])) as Record<Name, string>,
  }
}

const withinLimit = (body: Uint8Array | null, limit: number): Uint8Array | FormFault =>
  body !== null && body.byteLength > limit ? 'too_large' : (body ?? new Uint8Array())

async function readBody(request: Request, limit: number): Promise<Uint8Array | FormFault> {
  try {
    return (await readBodyBytes(request, limit)) ?? new Uint8Array()
  } catch {
    // The browser closed the connection early.
    return 'malformed'
  }
}
