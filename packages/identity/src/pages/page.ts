/** The document around every page, and its headers. */

import type { Realm } from '@ostiary/core'
import { pathIn, SCRIPT_PATH, STYLE_PATH } from '../web/paths.js'
import { PASSKEY_SCRIPT_VERSION } from './factors/passkey-script-version.js'
import { type Html, html } from './html.js'
import type { Presentation } from './presentation.js'
import type { ResolvedTheme } from './theme.js'

export interface Page {
  realm: Realm
  title: string
  body: Html
  status?: number
  /** Where the answer to the page's form may redirect: to a client, or within this origin. Absent when the page has no form. */
  form_leads_to?: 'client' | 'self'
  headers?: Record<string, string>
  cookies?: (string | null)[]
  /** A wider card, for a page with several sections. */
  wide?: boolean
  /** With the script of the passkeys. */
  script?: boolean
}

/** Why a form was refused. @param id For the fields that it describes; null for none. */
export const alertNote = (text: string, id: 'error' | 'password-error' | null = 'error'): Html =>
  html`<p class="note"${id && html` id="${id}"`} role="alert">${text}</p>`

/** @param path Null: there is no such page. */
export const linkTo = (path: string | null, text: string): Html | false =>
  path !== null && html`<p><a href="${path}">${text}</a></p>`

/** The name of the provider. */
export const providerName = ({ name }: { name?: string | null }, { issuer }: Realm): string =>
  name ?? new URL(issuer).host

export function renderPage({ theme, language, reference }: Presentation, page: Page): Response {
  const { realm, title, body, status = 200 } = page
  const name = providerName(theme, realm)
  const document = html`<!doctype html>
<html lang="${language.tag}"${language.direction === 'rtl' && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<title>${title} · ${name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${`${pathIn(realm, STYLE_PATH)}?v=${theme.version}`}">${iconElement(theme)}${page.script && scriptElement(realm)}
</head>
<body>
<main${page.wide && html` class="wide"`}>
<p class="brand">${brand(theme, name)}</p>
${body}${
  status >= 400 &&
  reference !== null &&
  html`
<p class="small">${language.text('error.reference', { reference })}</p>`
}${footer(theme)}
</main>
</body>
</html>
`
  return new Response(document.toString(), { status, headers: pageHeaders(theme, page) })
}

const brand = (theme: ResolvedTheme, name: string): Html =>
  theme.logo_url === null
    ? html`<span class="mark" aria-hidden="true"></span> <span>${name}</span>`
    : html`<img src="${theme.logo_url}" alt="${name}">`

const iconElement = ({ icon_url }: ResolvedTheme): Html | null =>
  icon_url === null
    ? null
    : html`
<link rel="icon" href="${icon_url}">`

const footer = ({ links }: ResolvedTheme): Html | false =>
  links.length > 0 &&
  html`
<footer class="small links">${links.map(({ text, href }) => html`<a href="${href}">${text}</a>`)}</footer>`

/** Deferred: the document is read before it runs. */
const scriptElement = (realm: Realm): Html => html`
<script src="${`${pathIn(realm, SCRIPT_PATH)}?v=${PASSKEY_SCRIPT_VERSION}`}" defer></script>`

function pageHeaders(theme: ResolvedTheme, { form_leads_to, headers, cookies = [], script }: Page): Headers {
  const policy = [
    `default-src 'none'`,
    ...(script ? [`script-src 'self'`] : []),
    `style-src 'self'`,
    ["img-src 'self'", ...theme.image_sources].join(' '),
    ...formPolicy(form_leads_to),
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
 * Chromium applies form-action to all redirects that follow the form: to the client, and on to any address that the client
 * redirects to. Such a page has no form-action: no list of sources would be complete.
 */
function formPolicy(form_leads_to: Page['form_leads_to']): string[] {
  if (form_leads_to === 'client') return []
  return [`form-action ${form_leads_to === 'self' ? `'self'` : `'none'`}`]
}
