/** Outbound requests with undici. */

import { Agent, request } from 'undici'
import { answerHeaders, pinnedLookup, readBounded, type Transport } from './transport.js'

/** Where the body is not read, this bounds what arrives before the connection is closed. */
const MAX_UNREAD_BYTES = 64 * 1024

export const undiciTransport: Transport = async (
  address,
  { url, connect_timeout, total_timeout, max_body_bytes, ...rest },
) => {
  const dispatcher = new Agent({
    connect: { lookup: pinnedLookup(address), timeout: connect_timeout },
    headersTimeout: total_timeout,
    bodyTimeout: total_timeout,
    maxResponseSize: Math.max(max_body_bytes, MAX_UNREAD_BYTES),
  })
  try {
    const { method, headers, body, signal } = rest
    const answer = await request(url, { dispatcher, method, headers, body, signal })
    const { statusCode: status } = answer
    // An error that arrives after the head, such as a body over the limit, concerns a body that nothing reads.
    if (max_body_bytes === 0) answer.body.on('error', () => {}).destroy()
    const read = max_body_bytes === 0 ? new Uint8Array() : await readBounded(answer.body, max_body_bytes)
    return { status, headers: answerHeaders(answer.headers), body: read }
  } finally {
    await dispatcher.destroy()
  }
}
