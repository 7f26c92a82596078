/** Outbound requests with undici. */

import { Agent, request } from 'undici'
import { pinnedLookup, type Transport } from './transport.js'

/** The body is not read; this bounds what arrives before the connection is closed. */
const MAX_RESPONSE_BYTES = 64 * 1024

export const undiciTransport: Transport = async (
  address,
  { url, connect_timeout, total_timeout, ...rest },
) => {
  const dispatcher = new Agent({
    connect: { lookup: pinnedLookup(address), timeout: connect_timeout },
    headersTimeout: total_timeout,
    bodyTimeout: total_timeout,
    maxResponseSize: MAX_RESPONSE_BYTES,
  })
  try {
    const { method, headers, body, signal } = rest
    const { statusCode, body: answer } = await request(url, { dispatcher, method, headers, body, signal })
    // An error that arrives after the head, such as a body over the limit, concerns a body that nothing reads.
    answer.on('error', () => {}).destroy()
    return statusCode
  } finally {
    await dispatcher.destroy()
  }
}
