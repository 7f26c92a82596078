/** Cursors of lists: where the next page begins, with an HMAC over the realm, the list, its filter and the position. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { ProblemError } from './problem.js'

/** The list that a cursor is of. */
interface ListPlace {
  realm: string
  /** The operation. */
  list: string
  filter?: Readonly<Record<string, unknown>>
}

export interface CursorKey {
  /** The text for the position of the last entry. */
  write(place: ListPlace, after: string): string
  /** The position. @throws ProblemError for a text that was changed, or that is of another list. */
  read(place: ListPlace, cursor: string): string
}

/** Of SHA-256. */
const MAC_SIZE = 32

/** @param secret Of the server. */
export function cursorKey(secret: string): CursorKey {
  const mac = ({ realm, list, filter = {} }: ListPlace, after: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['admin cursor', realm, list, filter, after]))
      .digest()
  return {
    write: (place, after) => Buffer.concat([mac(place, after), Buffer.from(after)]).toString('base64url'),
    read(place, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const after = bytes.subarray(MAC_SIZE).toString()
      const given = bytes.subarray(0, MAC_SIZE)
      // One spelling of each cursor: base64url is decoded tolerantly.
      const is_exact = bytes.toString('base64url') === cursor
      if (is_exact && given.length === MAC_SIZE && timingSafeEqual(given, mac(place, after))) return after
      throw new ProblemError(
        'invalid_cursor',
        'Take `next` of the page before, with the same filter, as it is',
      )
    },
  }
}
