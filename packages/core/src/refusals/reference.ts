/** A short name of a request, for a person who reads it to the operator from an error page. */

/**
 * Eight hexadecimal digits, such as `7F3A-2C1D`: on the error page, and in the log line of the refusal. The id of the request is longer,
 * and a proxy may have chosen it.
 * @param hash The SHA-256 of the id.
 */
export function referenceByHash(hash: Uint8Array): string {
  const digits = [...hash.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0'))
  const text = digits.join('').toUpperCase()
  return `${text.slice(0, 4)}-${text.slice(4)}`
}
