/** The redirect URI of a sign-in: a server on this computer, for one request (RFC 8252 §7.3). */

import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LoginError } from '../login-error.js'

/** Milliseconds in which the browser comes back. */
const WAIT_MS = 900_000

/** What the browser has brought back. */
export interface BrowserAnswer {
  /** The redirect URI with its parameters. */
  url: URL
  /** Ends the request of the browser, with a page. */
  show(text: string): void
}

/** A redirect URI that is open. */
export interface Loopback {
  redirect_uri: string
  /** The answer to the authorization request with this `state`; others are refused, and the wait goes on. @throws LoginError */
  answerTo(state: string): Promise<BrowserAnswer>
  close(): void
}

export async function openLoopback({ wait = WAIT_MS } = {}): Promise<Loopback> {
  const server = createServer((_request, response) => page(response, 404, 'There is nothing here.'))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const redirect_uri = `http://127.0.0.1:${port}/callback`
  return {
    redirect_uri,
    answerTo: (state) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new LoginError('The browser has not come back: run ostiary login again'))
        }, wait)
        server.removeAllListeners('request').on('request', (request, response) => {
          const url = answerUrl(request, redirect_uri)
          if (url === null) return page(response, 404, 'There is nothing here.')
          if (!isState(url, state))
            return page(
              response,
              400,
              'This is not the answer to the sign-in that is waiting in the terminal.',
            )
          clearTimeout(timer)
          server
            .removeAllListeners('request')
            .on('request', (_, late) => page(late, 404, 'The sign-in is over.'))
          resolve({ url, show: (text) => page(response, 200, text) })
        })
      }),
    close() {
      server.close()
      server.closeIdleConnections()
    },
  }
}

/** The address of a request to the redirect URI; null for another request. */
function answerUrl({ method, url = '', headers }: IncomingMessage, redirect_uri: string): URL | null {
  const { host, origin, pathname } = new URL(redirect_uri)
  // Another name of this computer would be that of a page which has its name resolve to it.
  if (method !== 'GET' || headers.host !== host || !url.startsWith(`${pathname}?`)) return null
  return URL.canParse(url, origin) ? new URL(url, origin) : null
}

function isState({ searchParams }: URL, state: string): boolean {
  const [sent = '', ...more] = searchParams.getAll('state')
  const [a, b] = [Buffer.from(sent), Buffer.from(state)]
  return more.length === 0 && a.length === b.length && timingSafeEqual(a, b)
}

/** @param text Of ours: it needs no escaping. */
function page(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.end(`<!doctype html><html lang="en"><title>Ostiary</title><p>${text}</p></html>`)
}
