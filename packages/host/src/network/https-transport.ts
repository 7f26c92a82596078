/** Outbound requests with node:http(s), where undici cannot be used: see guarded-fetch.ts. */

import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { answerHeaders, pinnedLookup, readBounded, type Transport } from './transport.js'

export const httpsTransport: Transport = (address, outbound) =>
  new Promise((resolve, reject) => {
    const { url, method, headers, body, signal, connect_timeout, max_body_bytes } = outbound
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      lookup: pinnedLookup(address),
      signal,
    })
    limitConnecting(request, connect_timeout)
    const answered = (message: IncomingMessage) => {
      const head = { status: message.statusCode ?? 502, headers: answerHeaders(message.headers) }
      if (max_body_bytes > 0)
        readBounded(message, max_body_bytes)
          .then((read) => resolve({ ...head, body: read }), reject)
          .finally(() => request.destroy())
      else {
        message.destroy()
        resolve({ ...head, body: new Uint8Array() })
      }
    }
    request.once('response', answered)
    // Without a listener, node:http closes the connection and emits neither an answer nor an error.
    request.once('upgrade', answered)
    request.once('error', reject)
    request.end(body)
  })

function limitConnecting(request: ClientRequest, milliseconds: number): void {
  const timer = setTimeout(() => request.destroy(new Error('connect_timeout')), milliseconds)
  const stop = () => clearTimeout(timer)
  request.once('socket', (socket) => socket.once('connect', stop))
  request.once('close', stop)
}
