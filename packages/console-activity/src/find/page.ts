/** The field that every page has, and what it leads to: the thing itself, or a list of the few that match. */

import { consolePage, emptyState, pageHead, pathOf, refusalFor, seeOther, table } from '@ostiary/console'
import type { Html } from '@ostiary/identity'
import { MAX_PARAMETER, type OwnVisit, parameter } from '../visit.js'
import { type Hit, search } from './search.js'

export function findField(c: OwnVisit): Html {
  const { html, text } = c
  return html`<form class="find" method="get" action="${pathOf(c, 'find')}" role="search" aria-label="${text('find.title')}">
<label for="find">${text('find.title')}</label>
<input id="find" name="q" type="search" value="${onOwnPage(c)}" maxlength="${MAX_PARAMETER}" autocomplete="off" autocapitalize="none" spellcheck="false">
<button type="submit" class="quiet">${text('find.button')}</button>
</form>`
}

/** What was typed, on the page that answers it. */
const onOwnPage = (c: OwnVisit): string => (c.url.pathname === pathOf(c, 'find') ? parameter(c, 'q') : '')

export async function findPage(c: OwnVisit, parts: readonly string[]): Promise<Response | null> {
  if (parts.length > 0) return null
  const refusal = refusalFor(c, null)
  if (refusal !== null) return refusal
  const { text } = c
  const wanted = parameter(c, 'q')
  if (wanted === '') return emptyPage(c, text(c.url.searchParams.get('q') ? 'find.none' : 'find.empty'))
  const { hits, more } = await search(c, wanted)
  const [first, second] = hits
  if (first === undefined) return emptyPage(c, text('find.none'))
  if (second === undefined && first.href !== null) return seeOther(first.href)
  return listPage(c, hits, more)
}

function emptyPage(c: OwnVisit, title: string): Response {
  const { html, text } = c
  const body = html`${pageHead(c, { title: text('find.title') })}
${emptyState(c, { title, sentence: text('find.what') })}`
  return consolePage(c, { title: text('find.title'), body })
}

function listPage(c: OwnVisit, hits: readonly Hit[], more: boolean): Response {
  const { html, text } = c
  const title = text('find.results', { text: parameter(c, 'q') })
  const rows = hits.map(({ kind, name, id, href, about }) => [
    text(`find.${kind}`),
    html`<span>${href === null ? html`<bdi>${name}</bdi>` : html`<a href="${href}"><bdi>${name}</bdi></a>`}${about !== null && html`<br><small>${about}</small>`}</span>`,
    html`<code>${id}</code>`,
  ])
  const columns = [text('find.kind'), text('audit.about'), text('find.id')]
  const body = html`${pageHead(c, { title })}
<div class="below">${table(c, { label: title, columns, rows })}</div>
${more && html`<p class="aside">${text('find.more')}</p>`}`
  return consolePage(c, { title, body })
}
