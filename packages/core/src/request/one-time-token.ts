/** One-time tokens as clients and browsers send them. */

import type { RealmContext } from '../realm/context.js'
import type { Pending } from '../storage/storage.js'
import { sha256 } from '../util/secret.js'

/** 43 characters for 256 bits. The token of a page about a client with a metadata document has the client's mark behind them. */
const ONE_TIME_TOKEN = /^[A-Za-z0-9_-]{43}(?:\.[A-Za-z0-9_-]{43})?$/

/** The hash under which the record of the token is stored. Null for a text that is no such token. */
export const oneTimeHash = (text: string): string | null => (ONE_TIME_TOKEN.test(text) ? sha256(text) : null)

/** The record of a token. No storage is asked for a text that is no such token. */
export async function findOneTime(c: RealmContext, text: string): Promise<Pending | null> {
  const pending_hash = oneTimeHash(text)
  return pending_hash === null ? null : c.storage.pending.find(pending_hash)
}
