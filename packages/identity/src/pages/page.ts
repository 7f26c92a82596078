/** The document around every page, and its headers. */

import type { Realm } from '@ostiary/core'
import { pathIn, STYLE_PATH } from '../web/paths.js'
import { type Html, html } from './html.js'
import type { Presentation } from './presentation.js'
import type { ResolvedTheme } from './theme.js'

export interface Page {
  realm: Realm
  title: string
  body: Html
  status?: number
  /** URLs to which the form's answer may redirect; `self` for none; absent when the page has no form. */
  form_leads_to?: (string | null)[] | 'self'
  headers?: Record<string, string>
  cookies?: (string | null)[]
  /** A wider card, for a page with several sections. */
  wide?: boolean
}

export function renderPage({ theme, language }: Presentation, page: Page): Response {
  const { realm, title, body } = page
  const name = theme.name ?? new URL(realm.issuer).host
  const document = html`<!doctype html>
<html lang="${language.tag}"${language.direction === 'rtl' && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<title>${title} · ${name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${`${pathIn(realm, STYLE_PATH)}?v=${theme.version}`}">
</head>
<body>
<main${page.wide && html` class="wide"`}>
<p class="brand">${brand(theme, name)}</p>
${body}
</main>
</body>
</html>
`
  return new Response(document.toString(), { status: page.status ?? 200, headers: pageHeaders(theme, page) })
}

const brand = (theme: ResolvedTheme, name: string): Html =>
  theme.logo_url === null
    ? html`<span class="mark" aria-hidden="true"></span> <span>${name}</span>`
    : html`<img src="${theme.logo_url}" alt="${name}">`

function pageHeaders(theme: ResolvedTheme, { form_leads_to, headers, cookies = [] }: Page): Headers {
  const policy = [
    `default-src 'none'`,
    `style-src 'self'`,
    `img-src 'self'${theme.logo_source === null ? '' : ` ${theme.logo_source}`}`,
    `form-action ${form_leads_to ? formTargets(form_leads_to) : `'none'`}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ]
  const all = new Headers({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    // A window of another site that opened this page, or was opened by it, gets no reference to it.
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...headers,
  })
  for (const cookie of cookies) if (cookie !== null) all.append('set-cookie', cookie)
  return all
}

/**
 * Chromium applies form-action to all redirects that follow the form: to the client, and from there to any address. So every
 * https address is allowed, and the scheme of the client's redirect_uri.
 */
function formTargets(urls: (string | null)[] | 'self'): string {
  if (urls === 'self') return `'self'`
  const sources = urls.map((url) => (url !== null && URL.canParse(url) ? formTarget(new URL(url)) : null))
  return [...new Set([`'self'`, 'https:', ...sources.filter((source) => source !== null)])].join(' ')
}

/** A host is written into the header only when it has no special characters: URLs allow ; , * and ' in a host. */
function formTarget({ protocol, hostname, host }: URL): string | null {
  if (protocol === 'https:') return null
  // CSP has no syntax for IPv6 addresses, and 127.0.0.1 is the only IPv4 address that must match (CSP 3 §6.7.2.8).
  const plain = /^[a-z0-9.-]+$/.test(hostname) && (!/^[\d.]+$/.test(hostname) || hostname === '127.0.0.1')
  return protocol === 'http:' && plain ? `http://${host}` : protocol
}
