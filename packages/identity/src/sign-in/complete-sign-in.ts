import type { Login } from '@ostiary/core'
import { failurePage } from '../pages/error.js'
import type { PageContext } from './context.js'

/** Starts a session with the provider. Its redirect also sets `cookies`; its failure becomes a page. */
export async function completeSignIn(c: PageContext, login: Login, cookies: string[]): Promise<Response> {
  const response = await c.provider.login(c.request, login, c.origin)
  const { status } = response
  if (status >= 500) return failurePage(c, c.realm, status === 503)
  if (status >= 400) return response
  const headers = new Headers(response.headers)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(response.body, { status, headers })
}
