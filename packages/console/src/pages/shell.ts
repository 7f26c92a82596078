/** The document around every page: the navigation of an administrator, or a card as the sign-in has it. */

import type { Html } from '@ostiary/identity'
import { pathOf } from '../paths.js'
import { textOf } from '../texts/texts.js'
import { translated } from '../texts/texts-of.js'
import type { Look, PageArea, PageContent, Visit } from '../visit.js'
import { pageAnswer } from '../web/answers.js'

interface Document {
  title: string
  body: Html
  status: number
  /** Of a card that leads on by itself. */
  leads_to?: string
  is_card: boolean
}

function documentOf(look: Look, { title, body, status, leads_to, is_card }: Document): Response {
  const { html, language, brand, style_version } = look
  const refresh =
    leads_to !== undefined &&
    html`
<meta http-equiv="refresh" content="${`0;url=${leads_to}`}">`
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title} · ${brand.name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">${refresh}
<link rel="stylesheet" href="${`/admin/style.css?v=${style_version}`}">
</head>
<body${!is_card && html` class="console"`}>
${body}
</body>
</html>
`
  return pageAnswer(document, { status, logo_url: brand.logo_url })
}

const brandOf = ({ html, brand }: Look): Html =>
  brand.logo_url === null
    ? html`<p class="brand"><span class="mark" aria-hidden="true"></span> <span>${brand.name}</span></p>`
    : html`<p class="brand"><img src="${brand.logo_url}" alt="${brand.name}"></p>`

/** A page without navigation: before a sign-in, and after it. */
export function cardPage(
  look: Look,
  { title, body, status = 200, leads_to }: PageContent & { leads_to?: string },
): Response {
  const { html, reference } = look
  const text = textOf(look)
  const card = html`<main>
${brandOf(look)}
<h1>${title}</h1>
${body}
${status >= 400 && html`<p class="small">${text('error.reference', { reference })}</p>`}
</main>`
  const leading = leads_to === undefined ? {} : { leads_to }
  return documentOf(look, { title, body: card, status, is_card: true, ...leading })
}

/** The areas of the realm that the administrator may read. */
export const areasOf = ({ areas, may }: Visit): readonly PageArea[] =>
  areas.filter(({ needs }) => needs === null || may(needs, 'read'))

/** The path of the first page of an area. */
export const areaPath = (c: Visit, { name }: PageArea): string => pathOf(c, ...(name === '' ? [] : [name]))

/** A page with the navigation. */
export function consolePage(c: Visit, page: PageContent): Response {
  const { title, body, status = 200, area } = page
  const { html, reference, language } = c
  const text = textOf(c)
  const shown = areasOf(c)
  const document = html`<a class="skip" href="#main">${text('nav.skip')}</a>
<header class="side">
${brandOf(c)}
${realmsOf(c)}
${shown.map(({ everywhere }) => everywhere?.(c))}
<nav aria-label="${text('nav.label')}"><ul>
${shown.map(
  (each) =>
    each.title !== undefined &&
    html`<li><a href="${areaPath(c, each)}"${area === each.name && html` aria-current="page"`}>${translated(each.title, language)}</a></li>\n`,
)}</ul></nav>
<form class="who" method="post" action="/admin/sign-out">
<input type="hidden" name="csrf_token" value="${c.session.csrf_token}">
<p><span class="aside">${text('nav.signed_in')}</span> <bdi>${c.session.name}</bdi></p>
<button type="submit" class="quiet compact">${text('nav.sign_out')}</button>
</form>
</header>
<main id="main" tabindex="-1">
${body}
${status >= 400 && html`<p class="small">${text('error.reference', { reference })}</p>`}
</main>`
  return documentOf(c, { title, body: document, status, is_card: false })
}

function realmsOf(c: Visit): Html {
  const { html, realm, realms } = c
  const text = textOf(c)
  if (realms.length < 2)
    return html`<p class="realm"><span class="aside">${text('nav.realm')}</span> <bdi>${realm}</bdi></p>`
  return html`<details class="realm">
<summary><span class="aside">${text('nav.realm')}</span> <bdi>${realm}</bdi></summary>
<ul>${realms.map((id) => html`<li><a href="${pathOf({ realm: id })}"${id === realm && html` aria-current="true"`}>${id}</a></li>`)}</ul>
</details>`
}
