/** What every page has around it: the document and its headers. */

import type { Realm } from '@ostiary/core'
import { pathIn, STYLE_PATH } from '../web/paths.js'
import { type Html, html } from './html.js'
import type { ResolvedTheme } from './theme.js'

export interface Page {
  theme: ResolvedTheme
  realm: Realm
  title: string
  body: Html
  status?: number
  /** URLs that the page's form may lead to in the end; `self`: nowhere else; absent: the page has no form. */
  form_leads_to?: (string | null)[] | 'self'
  headers?: Record<string, string>
  cookies?: (string | null)[]
  /** For more than one question. */
  wide?: boolean
}

export function renderPage(page: Page): Response {
  const { theme, realm, title, body } = page
  const name = theme.name ?? new URL(realm.issuer).host
  const document = html`<!doctype html>
<html lang="en">
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
  return new Response(document.toString(), { status: page.status ?? 200, headers: pageHeaders(page) })
}

const brand = (theme: ResolvedTheme, name: string): Html =>
  theme.logo_url === null
    ? html`<span class="mark" aria-hidden="true"></span> <span>${name}</span>`
    : html`<img src="${theme.logo_url}" alt="${name}">`

function pageHeaders({ theme, form_leads_to, headers, cookies = [] }: Page): Headers {
  const policy = [
    `default-src 'none'`,
    `style-src 'self'`,
    `img-src 'self'${theme.logo_source === null ? '' : ` ${theme.logo_source}`}`,
    `form-action ${form_leads_to ? formTargets(form_leads_to) : `'none'`}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ]
  const made = new Headers({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    // A window that was opened by another site, or opens one, gets no handle on this page.
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...headers,
  })
  for (const cookie of cookies) if (cookie !== null) made.append('set-cookie', cookie)
  return made
}

/**
 * Chromium applies form-action to every redirect that follows the post, which leads to the client and, by redirects
 * of the client's own, further on. So any https address is allowed, and what the client's redirect_uri needs.
 */
function formTargets(urls: (string | null)[] | 'self'): string {
  if (urls === 'self') return `'self'`
  const sources = urls.map((url) => (url !== null && URL.canParse(url) ? formTarget(new URL(url)) : null))
  return [...new Set([`'self'`, 'https:', ...sources.filter((source) => source !== null)])].join(' ')
}

/** A host goes into the header only when it cannot be mistaken for anything else: URLs allow ; , * and ' in it. */
function formTarget({ protocol, hostname, host }: URL): string | null {
  if (protocol === 'https:') return null
  // CSP has no syntax for IPv6 addresses, and 127.0.0.1 is the only IPv4 address that must match (CSP 3 §6.7.2.8).
  const plain = /^[a-z0-9.-]+$/.test(hostname) && (!/^[\d.]+$/.test(hostname) || hostname === '127.0.0.1')
  return protocol === 'http:' && plain ? `http://${host}` : protocol
}
