/** Base64url (RFC 4648 §5) as WebAuthn uses it: without padding, and with one spelling for each sequence of bytes. */

/** The bytes of a text in base64url. Null for what is no text, has another spelling, or is longer than the limit. */
export function bytesOfBase64url(text: unknown, max_bytes: number): Buffer | null {
  if (typeof text !== 'string' || text.length > Math.ceil((max_bytes * 4) / 3)) return null
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}
