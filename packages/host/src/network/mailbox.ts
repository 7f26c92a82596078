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
  /^[^\s\p{C}"(),.:;<>@[\\\]]+(?:\.[^\s\p{C}"(),.:;<>@[\\\]]+)*@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u
/** What a name without quotes does not have (RFC 5322 §3.2.3). */
const SPECIAL = /["(),:;<>@[\\\]]/
/** Line breaks and other characters that may not be in a header field. */
const CONTROL = /[\p{Cc}\u2028\u2029]/gu

/** Whether this is one address, without a name. */
export const isAddress = (text: string): boolean => text.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(text)

/** @returns Null when it is not exactly one mailbox. */
export function parseMailbox(text: string): Mailbox | null {
  const end = text.endsWith('>') ? text.lastIndexOf('<') : 0
  const address = text.endsWith('>') ? text.slice(end + 1, -1) : text
  const name = nameOf(text.slice(0, Math.max(end, 0)).trim())
  if (name === null || name.length > MAX_NAME_LENGTH || !isAddress(address)) return null
  return text === singleLine(text) ? { name, address } : null
}

/** A name with or without quotes; null when it is not valid. */
function nameOf(text: string): string | null {
  if (!SPECIAL.test(text)) return text
  const quoted = /^"((?:[^"\\]|\\.)*)"$/u.exec(text)?.[1]
  return quoted?.replace(/\\(.)/gu, '$1') ?? null
}

/** A text without line breaks and other control characters. */
export const singleLine = (text: string): string => text.replace(CONTROL, ' ')
