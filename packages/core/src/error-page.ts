/** Error pages: a browser that navigates gets a page instead of JSON. */

import type { Interactions } from './ports.js'
import type { Realm } from './realm.js'

export interface BrowserAnswer {
  request: Request
  realm: Realm
  interactions: Interactions
}

/** For an error, the application's error page with the same status and headers; any other response unchanged. */
export async function pageForBrowser(response: Response, c: BrowserAnswer): Promise<Response> {
  const { request, realm, interactions } = c
  if (response.status < 400 || !interactions.error || !isNavigation(request)) return response
  if (response.headers.get('content-type') !== 'application/json' || response.body === null) return response
  const { status } = response
  const body: ErrorBody = await response.json()
  // A bearer error has no description (RFC 6750 §3.1).
  const { error: code, error_description: description = 'The request was refused' } = body
  const page = await interactions.error({ realm, status, code, description, request })
  const headers = new Headers(response.headers)
  for (const [name, value] of page.headers) headers.set(name, value)
  return new Response(page.body, { status, headers })
}

interface ErrorBody {
  error: string
  error_description?: string
}

/** `Accept` lists HTML, and `Sec-Fetch-Mode` does not say that a script or an element has sent the request. */
function isNavigation(request: Request): boolean {
  const mode = request.headers.get('sec-fetch-mode')
  if (mode !== null && mode !== 'navigate') return false
  const accepted = (request.headers.get('accept') ?? '').split(',')
  return accepted.some((range) => range.split(';', 1)[0]?.trim().toLowerCase() === 'text/html')
}
