/** The answers of the console, with their headers. */

import type { Html } from '@ostiary/identity'

const COMMON = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  // A form sends its origin, and no other site learns the address of a page.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The sources of images: this origin, and that of the logo. */
function policyOf(logo_url: string | null): string {
  const logo = logo_url !== null && URL.canParse(logo_url) ? new URL(logo_url) : null
  const source = logo?.protocol === 'data:' ? ' data:' : ''
  const origin = logo?.protocol === 'https:' ? ` ${logo.origin}` : ''
  return [
    `default-src 'none'`,
    `script-src 'none'`,
    `style-src 'self'`,
    `img-src 'self'${source}${origin}`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

export function pageAnswer(
  document: Html,
  { status, logo_url }: { status: number; logo_url: string | null },
): Response {
  return new Response(document.toString(), {
    status,
    headers: {
      ...COMMON,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(logo_url),
    },
  })
}

/** Leads on. @param location A path of the console, or the address of the sign-in. */
export const seeOther = (location: string): Response =>
  new Response(null, { status: 303, headers: { ...COMMON, location } })

export function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

export const styleAnswer = (css: string): Response =>
  new Response(css, {
    headers: {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    },
  })
