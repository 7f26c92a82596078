import type { Login } from '@ostiary/core'
import { failurePage } from '../pages/error.js'
import type { PageContext } from './context.js'

/** Starts a session with the provider. Its redirect also sets `cookies`; its failure becomes a page. */
export const completeSignIn = async (c: PageContext, login: Login, cookies: string[]): Promise<Response> =>
  ending(c, await c.provider.login(c.request, login, c.origin), cookies)

/** The same, but it raises the session that the user has. */
export const confirmSignIn = async (c: PageContext, login: Login, cookies: string[]): Promise<Response> =>
  ending(c, await c.provider.confirm(c.request, login, c.origin), cookies)

function ending(c: PageContext, response: Response, cookies: string[]): Response {
  const { status } = response
  if (status >= 500) return failurePage(c, c.realm, status === 503)
  return status >= 400 ? response : withCookies(response, cookies)
}

export function withCookies(response: Response, cookies: readonly string[]): Response {
  const headers = new Headers(response.headers)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(response.body, { status: response.status, headers })
}
