/** Reads a posted form, bounded, without ever throwing. */

export type FormFault = 'wrong_type' | 'too_large' | 'malformed'
export type Form<Name extends string> = { fields: Record<Name, string> } | { fault: FormFault }

/** 16 KiB: a username and a password at their longest, percent-encoded. */
export const MAX_FORM_BYTES = 16_384

/** Each of the named fields must be there exactly once; others are ignored. */
export async function readForm<Name extends string>(
  request: Request,
  names: readonly Name[],
): Promise<Form<Name>> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return { fault: 'wrong_type' }
  const body = await readBody(request)
  if (typeof body === 'string') return { fault: body }
  // Bytes that are no UTF-8 become U+FFFD, and so match nothing.
  const params = new URLSearchParams(new TextDecoder().decode(body))
  const found = names.map((name) => [name, params.getAll(name)] as const)
  if (found.some(([, values]) => values.length !== 1)) return { fault: 'malformed' }
  return { fields: Object.fromEntries(found.map(([name, [value]]) => [name, value])) as Record<Name, string> }
}

async function readBody(request: Request): Promise<Uint8Array | FormFault> {
  if (Number(request.headers.get('content-length')) > MAX_FORM_BYTES) return 'too_large'
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      // Leaving the loop cancels the stream: the rest is never read.
      if (size > MAX_FORM_BYTES) return 'too_large'
      chunks.push(chunk)
    }
  } catch {
    // The browser hung up half-way.
    return 'malformed'
  }
  return Buffer.concat(chunks)
}
