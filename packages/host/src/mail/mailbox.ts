/** A mailbox of a mail: an address, with or without a name (RFC 5322 §3.4). */
export interface Mailbox {
  /** Empty when there is none. */
  name: string
  address: string
}

/** RFC 5321 §4.5.3.1.3: of a path, less its angle brackets. */
const MAX_ADDRESS_LENGTH = 254
const MAX_NAME_LENGTH = 200

/** A dot-atom at a host name, with the letters of RFC 6531: no quotes, no comments, no address literals. */
const ADDRESS =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u
/** What ends a name without quotes (RFC 5322 §3.2.3). */
const SPECIAL = /["(),:;<>@[\\\]]/
/** Line breaks and other characters that may not be in a header field. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u

/** Whether this is one address, without a name. */
export const isAddress = (text: string): boolean => text.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(text)

/** @returns Null when it is not exactly one mailbox. */
export function parseMailbox(text: string): Mailbox | null {
  if (CONTROL.test(text)) return null
  const start = text.endsWith('>') ? text.lastIndexOf('<') : 0
  const address = text.endsWith('>') ? text.slice(start + 1, -1) : text
  const name = nameOf(text.slice(0, Math.max(start, 0)).trim())
  return name !== null && name.length <= MAX_NAME_LENGTH && isAddress(address) ? { name, address } : null
}

/** A name with or without quotes; null when it is not valid. */
function nameOf(text: string): string | null {
  if (!SPECIAL.test(text)) return text
  const quoted = /^"((?:[^"\\]|\\.)*)"$/u.exec(text)?.[1]
  return quoted === undefined ? null : quoted.replace(/\\(.)/gu, '$1')
}

/** A value for a header field: one line. */
export const singleLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
