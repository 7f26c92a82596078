/** Pushes authorization requests (RFC 9126), and sends browsers with their request_uri. */

import { authorizeUrl, type Browser, type FormFields, type World } from './support.js'

export const REQUEST_URI = /^urn:ietf:params:oauth:request_uri:[\w-]{43}$/
export const ON = { par: 'allowed' } as const
export const REQUIRED = { par: 'required' } as const

type Changes = Record<string, string | null>

/** The parameters of the standard request; null leaves one out. */
export const parameters = (w: World, changes: Changes = {}): [string, string][] => [
  ...new URL(authorizeUrl(w.issuer, changes)).searchParams,
]

export const post = (w: World, form: FormFields, headers: Record<string, string> = {}): Promise<Response> =>
  w.post('/oauth/par', form, headers)

/** Pushes the standard request with changes. */
export async function push(
  w: World,
  changes: Changes = {},
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const response = await post(w, parameters(w, changes), headers)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** The request_uri of a pushed request. @throws Error when it is refused. */
export async function pushed(w: World, changes: Changes = {}): Promise<string> {
  const { status, body } = await push(w, changes)
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return String(body.request_uri)
}

export const pushedUrl = (w: World, request_uri: string, others: Record<string, string> = {}): string =>
  `${w.issuer}/oauth/authorize?${new URLSearchParams({ client_id: 'app', request_uri, ...others })}`

/** Sends the browser to the authorization endpoint with a request_uri. */
export const open = (browser: Browser, w: World, request_uri: string): Promise<Response> =>
  browser.get(pushedUrl(w, request_uri))
