/** The pages of the application. They use no script. */

import type { ConsentPrompt } from '@ostiary/core'

export function homePage(name: string | null): Response {
  return page('Home', name === null ? '<p>You are not signed in.</p>' : `<p>Signed in as ${text(name)}.</p>`)
}

export function loginPage(login: { client: string; return_to: string; fault?: string }): Response {
  const { client, return_to, fault } = login
  return page(
    'Sign in',
    `<p>to continue to ${text(client)}</p>${fault === undefined ? '' : `<p role="alert">${text(fault)}</p>`}
<form method="post" action="/login">
<input type="hidden" name="return_to" value="${text(return_to)}">
<label>Username <input name="username" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>
<form method="post" action="/login">
<input type="hidden" name="return_to" value="${text(return_to)}">
<button name="action" value="back">Back to ${text(client)}</button>
</form>`,
    fault === undefined ? 200 : 401,
  )
}

/** Both buttons post the same one-time token; `_method=DELETE` denies. */
export function consentPage({ client, user, scopes, action, auth_token }: ConsentPrompt): Response {
  const items = scopes.map(({ value, description }) => `<li>${text(description ?? value)}</li>`)
  return page(
    'Allow access?',
    `<p>${text(client.client_name)} asks for the following access. You are signed in as ${text(String(user.claims.name))}.</p>
<ul>${items.join('')}</ul>
<form method="post" action="${text(action)}">
<input type="hidden" name="auth_token" value="${text(auth_token)}">
<button>Allow</button>
<button name="_method" value="DELETE">Deny</button>
</form>`,
  )
}

export const messagePage = (status: number, message: string): Response =>
  page('The request failed', `<p>${text(message)}</p>`, status)

/** The policy has no `form-action`, because the answer to a form redirects to the client, at any address. */
function page(title: string, body: string, status = 200): Response {
  return new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}</html>`,
    {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
      },
    },
  )
}

function text(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
