/** The pages of other providers. The configuration has them, so the pages say where to change it. */

import {
  apiPath,
  code,
  consolePage,
  emptyState,
  type Fact,
  factList,
  linkButton,
  type Page,
  pageHead,
  pathOf,
  pill,
  readRecord,
  refusalFor,
  section,
  table,
  trail,
} from '@ostiary/console'
import type { Html, HtmlValue } from '@ostiary/identity'
import type { OwnVisit } from '../visit.js'
import { checkPage } from './check.js'
import type { ShownUpstream } from './upstream.js'

/** The list, one provider, and the form that asks it. */
export async function upstreamPages(c: OwnVisit, [id, act, ...others]: readonly string[]): Page {
  if (others.length > 0 || (act !== undefined && act !== 'check')) return null
  const refusal = refusalFor(c, act === undefined ? null : 'realms')
  if (refusal !== null) return refusal
  if (id === undefined) return listUpstreams(c)
  const found = await readRecord<ShownUpstream>(c, apiPath(c, 'upstreams', id))
  if (found instanceof Response) return found
  return act === undefined ? upstreamPage(c, found.record) : checkPage(c, found.record)
}

/** What adds one to the configuration. */
const EXAMPLE = `"identity": {
  "upstreams": {
    "google": {
      "type": "oidc",
      "issuer": "https://accounts.google.com",
      "client_id": "…",
      "client_secret_env": "GOOGLE_CLIENT_SECRET",
      "name": "Google"
    }
  }
}`

async function listUpstreams(c: OwnVisit): Promise<Response> {
  const { html, text } = c
  const found = await readRecord<{ items: readonly ShownUpstream[] }>(c, apiPath(c, 'upstreams'))
  if (found instanceof Response) return found
  const { items } = found.record
  const title = text('upstreams.title')
  const columns = [text('upstream.name'), text('upstream.issuer'), text('upstream.users')]
  const rows = items.map((upstream) => [
    html`<a href="${pathOf(c, 'upstreams', upstream.id)}"><bdi>${upstream.name}</bdi></a>`,
    issuerOf(c, upstream),
    text(upstream.signup ? 'signup.yes' : 'signup.no'),
  ])
  const body = html`${pageHead(c, { title, lead: text('upstreams.lead') })}
${
  items.length === 0
    ? html`${emptyState(c, { title: text('upstreams.none'), sentence: text('upstreams.none_why') })}
<section class="connect"><h2>${text('upstreams.add')}</h2>
<p class="aside">${text('upstreams.add_how')}</p>
<pre><code>${EXAMPLE}</code></pre></section>`
    : html`<div class="below">${table(c, { label: title, columns, rows })}</div>`
}`
  return consolePage(c, { title, body, area: 'upstreams' })
}

const issuerOf = (c: OwnVisit, { issuer }: ShownUpstream): Html => code(c, issuer ?? 'https://github.com')

function upstreamPage(c: OwnVisit, upstream: ShownUpstream): Response {
  const { html, text } = c
  const { id, name, key, redirect_uri, backchannel_logout_uri } = upstream
  const check =
    c.may('realms', 'write') &&
    linkButton(c, { href: pathOf(c, 'upstreams', id, 'check'), text: text('check.title'), kind: '' })
  const body = html`${trail(c, [[pathOf(c, 'upstreams'), text('upstreams.title')]])}
${pageHead(c, { title: html`<bdi>${name}</bdi>`, actions: check })}
${section(
  c,
  text('register.title'),
  html`<p class="aside">${text('register.lead')}</p>
${copied(c, { id: 'redirect_uri', label: text('register.redirect_uri'), value: redirect_uri })}
${backchannel_logout_uri !== null && copied(c, { id: 'logout_uri', label: text('register.logout_uri'), value: backchannel_logout_uri })}`,
)}
${section(c, text('settings.title'), factList(c, factsOf(c, upstream)))}
${section(
  c,
  text('change.title'),
  html`<p>${text('change.lead')}</p>
<p><code>${key}</code></p>`,
)}`
  return consolePage(c, { title: name, body, area: 'upstreams' })
}

/** A text to copy. */
const copied = (
  { html }: OwnVisit,
  { id, label, value }: { id: string; label: string; value: string },
): Html =>
  html`<div class="field once"><label for="${id}">${label}</label>
<input id="${id}" type="text" readonly value="${value}" autocomplete="off"></div>`

function factsOf(c: OwnVisit, upstream: ShownUpstream): Fact[] {
  const { html, text } = c
  const codes = (values: readonly string[]): HtmlValue =>
    values.length === 0 ? '–' : values.map((value) => html`${code(c, value)}<br>`)
  const word = (is_so: boolean): Html => pill(c, text(is_so ? 'word.yes' : 'word.no'))
  const { groups, scopes, tenants } = upstream
  const mapped = Object.entries(groups?.map ?? {}).map(([value, group]) => `${value} → ${group}`)
  return [
    [text('upstream.id'), code(c, upstream.id)],
    [text('upstream.issuer'), issuerOf(c, upstream)],
    [text('upstream.client_id'), code(c, upstream.client_id)],
    [text('upstream.authentication'), text(`authentication.${upstream.authentication}`)],
    [text('upstream.scopes'), scopes === null ? text('upstream.scopes_usual') : codes(scopes)],
    [text('upstream.signup'), word(upstream.signup)],
    [text('upstream.domains'), codes(upstream.domains)],
    [text('upstream.link'), text(`link.${upstream.link}`)],
    [text('upstream.authoritative'), codes(upstream.authoritative_domains)],
    [text('upstream.only'), word(upstream.only)],
    [text('upstream.second_factor'), word(upstream.require_second_factor)],
    ...(tenants.length > 0 ? [[text('upstream.tenants'), codes(tenants)] as const] : []),
    ...(groups === null ? [] : [[text('upstream.groups', { claim: groups.claim }), codes(mapped)] as const]),
  ]
}
