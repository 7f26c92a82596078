/**
 * A `fetch` for addresses that clients chose (back-channel logout): it reaches public addresses only, connects to the
 * very address that was checked, and follows no redirect. On node:http(s) and not undici, whose `dispatcher` (where
 * such a check would sit) Bun ignores.
 */

import { lookup as dnsLookup } from 'node:dns/promises'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from './public-address.js'

export interface GuardedFetchOptions {
  /** Lets plain http reach this machine, for development. */
  allow_loopback?: boolean
  /** All addresses of a host name; the system's resolver by default. */
  resolve?: (host: string) => Promise<string[]>
  /** Milliseconds; 5,000 by default. */
  connect_timeout?: number
  /** Milliseconds from the request to the head of the answer; 10,000 by default. */
  total_timeout?: number
}

const systemResolve = async (host: string): Promise<string[]> =>
  (await dnsLookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/**
 * Rejects for a forbidden address, a time-out, or a connection that fails; the message is a code, and names neither the
 * host nor an address. The body of the answer is not read.
 */
export function guardedFetch(options: GuardedFetchOptions = {}): typeof fetch {
  const call = checkedFetch(options)
  return async (input, init) => {
    try {
      return await call(input, init)
    } catch (cause) {
      throw new Error(codeOf(cause), { cause })
    }
  }
}

/** Ours, the system's (`ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`), or one for all others. */
function codeOf(cause: unknown): string {
  const { name, code, message } = cause as { name?: unknown; code?: unknown; message?: unknown }
  if (name === 'TimeoutError' || code === 'ABORT_ERR') return 'timeout'
  const found = typeof code === 'string' ? code : message
  return typeof found === 'string' && /^\w{1,64}$/.test(found) ? found : 'unreachable'
}

function checkedFetch(options: GuardedFetchOptions): typeof fetch {
  const { allow_loopback = false, resolve = systemResolve } = options
  const { connect_timeout = 5_000, total_timeout = 10_000 } = options
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const insecure = url.protocol === 'http:'
    if (url.protocol !== 'https:' && !(insecure && allow_loopback)) throw new Error('forbidden_scheme')
    const permitted = insecure ? isLoopbackAddress : isPublicAddress
    const signal = AbortSignal.any([
      AbortSignal.timeout(total_timeout),
      ...(init.signal ? [init.signal] : []),
    ])
    // Checked before every connection, and the connection is made to what was checked: a second answer of the DNS has no
    // say. The look-up is within the time limit too: a name server of the receiver's may never answer.
    const address = await Promise.race([checkedAddress(host, resolve, permitted), aborted(signal)])
    return send(address, { url, init, signal, connect_timeout })
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

async function checkedAddress(
  host: string,
  resolve: (host: string) => Promise<string[]>,
  permitted: (address: string) => boolean,
): Promise<string> {
  const addresses = isIP(host) ? [host] : await resolve(host)
  const [address] = addresses
  if (address === undefined) throw new Error('unresolved_host')
  if (!addresses.every(permitted)) throw new Error('forbidden_address')
  return address
}

interface Call {
  url: URL
  init: RequestInit
  signal: AbortSignal
  connect_timeout: number
}

function send(address: string, { url, init, signal, connect_timeout }: Call): Promise<Response> {
  const body = typeof init.body === 'string' ? init.body : ''
  const headers = Object.fromEntries(new Headers(init.headers))
  const family = isIP(address)
  const lookup: LookupFunction = (_host, { all }, callback) =>
    all ? callback(null, [{ address, family }]) : callback(null, address, family)
  return new Promise((done, fail) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: init.method ?? 'GET',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // No pool: a kept connection would have been checked for another request.
      agent: false,
      lookup,
      signal,
    })
    connectWithin(request, connect_timeout)
    request.once('error', fail)
    request.once('response', (message) => done(answerOf(message)))
    request.end(body)
  })
}

function connectWithin(request: ClientRequest, milliseconds: number): void {
  const timer = setTimeout(() => request.destroy(new Error('connect_timeout')), milliseconds)
  const stop = () => clearTimeout(timer)
  request.once('socket', (socket) => socket.once('connect', stop))
  request.once('close', stop)
}

/** Only the status counts; whatever else the receiver says is dropped. */
function answerOf(message: IncomingMessage): Response {
  message.destroy()
  const { statusCode: status = 502 } = message
  return new Response(null, { status: status >= 200 && status <= 599 ? status : 502 })
}
