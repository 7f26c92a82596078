/** Reads a posted form. */

/** 64 KiB: what the admin API takes. */
export const MAX_FORM_BYTES = 65_536
/** The fields of the largest form are a tenth of it. */
export const MAX_FIELDS = 200

export type FormFault = 'wrong_type' | 'too_large'

export function readForm(request: Request, body: Uint8Array | null): URLSearchParams | FormFault {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return 'wrong_type'
  if (body !== null && body.byteLength > MAX_FORM_BYTES) return 'too_large'
  const text = new TextDecoder().decode(body ?? new Uint8Array())
  return text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS ? 'too_large' : new URLSearchParams(text)
}

/** Whether a page of the console itself has sent the form: every browser names the origin, and newer ones the site. */
export function isSameOrigin({ headers }: Request, origin: string): boolean {
  const site = headers.get('sec-fetch-site') ?? 'same-origin'
  return headers.get('origin') === origin && site === 'same-origin'
}
