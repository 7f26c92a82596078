/** A short name of a request, for a person who reads it to the operator from an error page. */

import { sha256Bytes } from '../util/secret.js'

/**
 * Eight hexadecimal digits of the hash of a request's id, such as `7F3A-2C1D`: on the error page, and in the log line of the
 * refusal. The id itself is longer, and a proxy may have chosen it.
 */
export function referenceOf(request_id: string): string {
  const digits = [...sha256Bytes(request_id).subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0'))
  const text = digits.join('').toUpperCase()
  return `${text.slice(0, 4)}-${text.slice(4)}`
}
