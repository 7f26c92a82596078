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
  /** The most that is read of the answer's body; 0: the body is not read. */
  max_body_bytes: number
}

export interface OutboundAnswer {
  status: number
  headers: Headers
  /** Empty where the body is not read. */
  body: Uint8Array<ArrayBuffer>
}

/**
 * Opens a connection for this request only: a kept one would have been checked for another request. Follows no redirect.
 * Rejects with `too_large` for a body over the limit.
 * @param address The IP address to connect to.
 */
export type Transport = (address: string, request: OutboundRequest) => Promise<OutboundAnswer>

/** A resolver that knows one address. */
export function pinnedLookup(address: string): LookupFunction {
  const family = isIP(address)
  return (_host, { all }, callback) =>
    all ? callback(null, [{ address, family }]) : callback(null, address, family)
}

/** Lists of values joined, as `fetch` gives them. */
export function answerHeaders(fields: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(fields))
    for (const one of [value ?? []].flat()) headers.append(name, one)
  return headers
}

/** Reads a body whose bytes are counted as they arrive. @throws Error `too_large` */
export async function readBounded(
  chunks: AsyncIterable<Uint8Array>,
  max_bytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const read: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > max_bytes) throw new Error('too_large')
    read.push(chunk)
  }
  return new Uint8Array(Buffer.concat(read))
}
