/** Outbound requests with node:http(s), where undici cannot be used: see guarded-fetch.ts. */

import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { pinnedLookup, type Transport } from './transport.js'

export const httpsTransport: Transport = (address, { url, method, headers, body, signal, connect_timeout }) =>
  new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      lookup: pinnedLookup(address),
      signal,
    })
    limitConnecting(request, connect_timeout)
    const answered = (message: IncomingMessage) => {
      message.destroy()
      resolve(message.statusCode ?? 502)
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
