/** Sends one request to one address, without a look-up of the name in its URL. */

import { isIP, type LookupFunction } from 'node:net'

export interface OutboundRequest {
  url: URL
  method: string
  headers: Readonly<Record<string, string>>
  /** Empty when the request has no body. */
  body: string
  signal: AbortSignal
  /** Milliseconds. */
  connect_timeout: number
  /** Milliseconds from the request to the head of the answer. */
  total_timeout: number
}

/**
 * Opens a connection for this request only: a kept one would have been checked for another request. Follows no redirect
 * and does not read the body of the answer.
 * @param address The IP address to connect to.
 * @returns The status of the answer.
 */
export type Transport = (address: string, request: OutboundRequest) => Promise<number>

/** A resolver that knows one address. */
export function pinnedLookup(address: string): LookupFunction {
  const family = isIP(address)
  return (_host, { all }, callback) =>
    all ? callback(null, [{ address, family }]) : callback(null, address, family)
}
