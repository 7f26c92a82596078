/** Pages without style: the sign-out pages for an application that supplies none; development.ts has more. */

import type { LogoutPrompt, SignedOutPrompt } from '../realm/ports.js'

/** For text and for quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** @param body Markup, in which every other text is escaped. */
export const plainPage = (title: string, body: string): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`,
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
    },
  )

export async function plainLogoutPage({
  action,
  confirmation_token,
  client,
}: LogoutPrompt): Promise<Response> {
  const from = client ? `<p>${escapeHtml(client.client_name)} asks you to sign out.</p>` : ''
  return plainPage(
    'Sign out?',
    `${from}<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="confirmation_token" value="${escapeHtml(confirmation_token)}"><button>Sign out</button></form>`,
  )
}

export async function plainSignedOutPage(prompt: SignedOutPrompt): Promise<Response> {
  const refused = prompt.redirect_refused
    ? '<p>The application wanted to send you to an address that is not registered for it.</p>'
    : ''
  const kept = prompt.realm.scopes.hidden.has('offline_access')
    ? ''
    : '<p>Applications that you allowed to stay connected may keep their access.</p>'
  return prompt.was_signed_in
    ? plainPage('Signed out', `${refused}<p>You are signed out. You can close this page.</p>${kept}`)
    : plainPage('Nobody is signed in in this browser', `${refused}<p>You can close this page.</p>`)
}
