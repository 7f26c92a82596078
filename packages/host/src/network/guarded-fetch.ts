/**
 * Requests to addresses that clients or operators chose: they reach only public addresses, connect to the very address that
 * was checked, and follow no redirect. `guardedFetch` sends (back-channel logout), `guardedDocuments` reads a document.
 */

import { lookup as dnsLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type FetchDocument, unlessAborted } from '@ostiary/core'
import { isLoopbackAddress, isPrivateReceiver, isPublicAddress } from './public-address.js'
import type { OutboundAnswer, OutboundRequest, Transport } from './transport.js'

const HTTPS_PORT = '443'

/** A `Response` with such a status has no body. */
const WITHOUT_BODY = [204, 205, 304]

/** The options of `guardedFetch`. */
export interface GuardedFetchOptions {
  /** Lets plain http reach this machine, for development. */
  allow_loopback?: boolean
  /** Lets https reach this machine too, for development. */
  allow_loopback_https?: boolean
  /** `host:port` of receivers that may have an address in a private network, by https (`privateHost`). */
  private_hosts?: readonly string[]
  /** Bytes of the body that the answer of `guardedFetch` has at most; 0, no body, by default. */
  max_body_bytes?: number
  /** All addresses of a host name; the system's resolver by default. */
  resolve?: (host: string) => Promise<string[]>
  /** Milliseconds; 5,000 by default, 2,000 for a document. */
  connect_timeout?: number
  /** Milliseconds from the request to the head of the answer, 10,000 by default; to the end of a document, 5,000. */
  total_timeout?: number
}

/** The names below `localhost` are this machine, and no name server is asked for them (RFC 6761 §6.3). */
async function systemResolve(host: string): Promise<string[]> {
  if (host.endsWith('.localhost')) return ['127.0.0.1']
  return (await dnsLookup(host, { all: true, verbatim: true })).map(({ address }) => address)
}

/**
 * Rejects for a forbidden address, a timeout, or a connection that fails; the message is a code, and names neither the
 * host nor an address. A longer body than `max_body_bytes` rejects too (`too_large`); with 0, none is read.
 */
export function guardedFetch(options: GuardedFetchOptions = {}): typeof fetch {
  const limits = { connect_timeout: 5_000, total_timeout: 10_000, ...options }
  const { max_body_bytes = 0 } = options
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const answer = await sendChecked(limits, url, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: init.body ? await new Response(init.body).text() : '',
      signal: init.signal ?? null,
      max_body_bytes,
    })
    const status = answer.status >= 200 && answer.status <= 599 ? answer.status : 502
    if (max_body_bytes === 0) return new Response(null, { status })
    const body = WITHOUT_BODY.includes(status) ? null : answer.body
    return new Response(body, { status, headers: answer.headers })
  }
}

/**
 * Reads documents with GET: no cookies, no redirect, no content coding. A redirect and a 304 are answers with their status.
 * Rejects like `guardedFetch`, and with `too_large` and `content_encoding`.
 */
export function guardedDocuments(options: GuardedFetchOptions = {}): FetchDocument {
  const limits = { connect_timeout: 2_000, total_timeout: 5_000, ...options }
  return async (url, { max_bytes, accept, headers }) => {
    const answer = await sendChecked(limits, new URL(url), {
      method: 'GET',
      headers: { ...headers, accept, 'accept-encoding': 'identity' },
      body: '',
      signal: null,
      max_body_bytes: max_bytes,
    })
    // A compressed document could be larger than the limit. A 304 may have the header of the document that it confirms.
    if (answer.body.length > 0 && (answer.headers.get('content-encoding') ?? 'identity') !== 'identity')
      throw new Error('content_encoding')
    return answer
  }
}

/** A receiver as `private_hosts` names it. */
export function hostAndPort(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || HTTPS_PORT}`
}

/** One name for one failure, whichever module connects. */
const CODES: Readonly<Record<string, string>> = {
  ABORT_ERR: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'HPE_HEADER_OVERFLOW',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too_large',
}

/** A code of this file, the system's (`ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`), or `unreachable`. */
function failureCode(cause: unknown): string {
  const { name, code, message } = cause as { name?: unknown; code?: unknown; message?: unknown }
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout'
  const text = typeof code === 'string' ? (CODES[code] ?? code) : message
  return typeof text === 'string' && /^\w{1,64}$/.test(text) ? text : 'unreachable'
}

type Limits = GuardedFetchOptions & Required<Pick<GuardedFetchOptions, 'connect_timeout' | 'total_timeout'>>

type CheckedRequest = Pick<OutboundRequest, 'method' | 'headers' | 'body' | 'max_body_bytes'> & {
  signal: AbortSignal | null
}

async function sendChecked(limits: Limits, url: URL, request: CheckedRequest): Promise<OutboundAnswer> {
  try {
    return await sendToCheckedAddress(limits, url, request)
  } catch (cause) {
    throw new Error(failureCode(cause), { cause })
  }
}

async function sendToCheckedAddress(
  limits: Limits,
  url: URL,
  { signal: given, ...request }: CheckedRequest,
): Promise<OutboundAnswer> {
  const { allow_loopback = false, connect_timeout, total_timeout } = limits
  const insecure = url.protocol === 'http:'
  if (url.protocol !== 'https:' && !(insecure && allow_loopback)) throw new Error('forbidden_scheme')
  // Before the time limits start: the first request waits for the module.
  const send = await transport()
  const timeout = AbortSignal.timeout(total_timeout)
  const signal = given ? AbortSignal.any([timeout, given]) : timeout
  // Checked before every connection, and the connection is made to the checked address: a second DNS answer has no
  // effect. The look-up is within the time limit too: the name server is the receiver's, and may never answer.
  const address = await unlessAborted(signal, checkedAddress(limits, url))
  return send(address, { ...request, url, signal, connect_timeout, total_timeout })
}

/**
 * Loaded with the first request, as undici takes 0.1 s and 20 MB. Bun answers the import of undici with a built-in
 * module that ignores `dispatcher`, so that the address would not be pinned: node:https is used there.
 */
async function transport(): Promise<Transport> {
  if (process.versions.bun === undefined) return (await import('./undici-transport.js')).undiciTransport
  return (await import('./https-transport.js')).httpsTransport
}

async function checkedAddress(limits: Limits, url: URL): Promise<string> {
  const { allow_loopback_https = false, private_hosts = [], resolve = systemResolve } = limits
  const is_private_host = private_hosts.includes(`${url.hostname}:${url.port || HTTPS_PORT}`)
  const isPermitted = (address: string): boolean => {
    if (url.protocol === 'http:') return isLoopbackAddress(address)
    if (is_private_host && isPrivateReceiver(address)) return true
    return isPublicAddress(address) || (allow_loopback_https && isLoopbackAddress(address))
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolve(host)
  const [address] = addresses
  if (address === undefined) throw new Error('unresolved_host')
  if (!addresses.every(isPermitted)) throw new Error('forbidden_address')
  return address
}
