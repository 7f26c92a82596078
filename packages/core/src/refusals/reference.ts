/** A short name of a request, for a person who reads it to the operator from an error page. */

/**
 * Eight hexadecimal digits, such as `7F3A-2C1D`: on the error page, and in the log line of the refusal. The id of the request is longer,
 * and a proxy may have chosen it.
 * @param hash The SHA-256 of the id, as hexadecimal digits.
 */
export function referenceByHash(hash: string): string {
  const text = hash.slice(0, 8).toUpperCase()
  return `${text.slice(0, 4)}-${text.slice(4)}`
}
