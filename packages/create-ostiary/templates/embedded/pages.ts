/** The pages. `html` of Hono escapes every value. */

import type { ConsentPrompt } from '@ostiary/core'
import { html } from 'hono/html'

export interface LoginView {
  client: string
  return_to: string
  fault?: string
}

export const loginPage = ({ client, return_to, fault = '' }: LoginView): Promise<Response> =>
  page(
    'Sign in',
    html`<p>to continue to ${client}</p>
      <p role="alert">${fault}</p>
      <form method="post" action="/login">
        <input type="hidden" name="return_to" value="${return_to}" />
        <p><label>Username <input name="username" autocomplete="username" required /></label></p>
        <p><label>Password <input name="password" type="password" autocomplete="current-password" required /></label></p>
        <button>Sign in</button>
      </form>`,
    fault === '' ? 200 : 401,
  )

/** Both buttons post the same one-time token; `_method=DELETE` denies. */
export const consentPage = ({ client, user, scopes, action, auth_token }: ConsentPrompt): Promise<Response> =>
  page(
    'Allow access?',
    html`<p>${client.client_name} asks for this access. You are signed in as ${String(user.claims.name)}.</p>
      <ul>
        ${scopes.map(({ value, description }) => html`<li>${description ?? value}</li>`)}
      </ul>
      <form method="post" action="${action}">
        <input type="hidden" name="auth_token" value="${auth_token}" />
        <button>Allow</button>
        <button name="_method" value="DELETE">Deny</button>
      </form>`,
  )

export const messagePage = (status: number, message: string): Promise<Response> =>
  page('The request failed', html`<p>${message}</p>`, status)

export const homePage = (name: string | null): Promise<Response> =>
  page('Home', html`<p>${name === null ? 'You are not signed in.' : `Signed in as ${name}.`}</p>`)

/** The policy has no `form-action`, because the answer to a form redirects to the client, at any address. */
async function page(title: string, body: ReturnType<typeof html>, status = 200): Promise<Response> {
  const document = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title}</title>
      <h1>${title}</h1>
      ${body}
    </html>`
  return new Response(String(await document), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
    },
  })
}
