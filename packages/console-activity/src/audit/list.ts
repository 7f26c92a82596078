/** The list of rows, with a filter. */

import {
  apiPath,
  consolePage,
  doneNote,
  emptyState,
  fieldOf,
  linkButton,
  nextPage,
  pageHead,
  pathOf,
  problemNote,
  readPage,
  table,
  timeOf,
} from '@ostiary/console'
import type { Html } from '@ostiary/identity'
import { notice } from '../pages/notice.js'
import { withNames } from '../rows/names.js'
import { actorOf, eventCell, outcomePill, type ShownRow, subjectOf } from '../rows/row.js'
import { MAX_PARAMETER, type OwnVisit, parameter } from '../visit.js'

/** The parameters of the address, by those of the API. */
const NAMES = { actor: 'actor', sub: 'user', client_id: 'client', type: 'type' } as const

/** What the API is asked for. */
function filterOf(c: OwnVisit): Record<string, string> {
  const named = Object.entries(NAMES).map(([name, shown]) => [name, parameter(c, shown)])
  const since = secondsOf(parameter(c, 'since'))
  const given = [...named, ['since', since]].filter(([, value]) => value !== '')
  return Object.fromEntries(given)
}

/** A local time of a form, in UTC, as epoch seconds; empty for any other text. */
export function secondsOf(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?$/.test(text)
    ? Date.parse(zoned(text))
    : Number.NaN
  return time >= 0 ? String(time / 1000) : ''
}

const zoned = (text: string): string => (text.includes('T') ? `${text}Z` : `${text}T00:00Z`)

export async function auditList(c: OwnVisit): Promise<Response> {
  const { html, text } = c
  const title = text('audit.title')
  const filter = filterOf(c)
  const page = await readPage<ShownRow>(c, apiPath(c, 'audit'), filter)
  if (page instanceof Response)
    return page.status === 404
      ? notice(c, 'audit', { detail: 'audit.enabled is false: nothing is kept' })
      : page
  const { items, next, problem } = page
  const is_filtered = Object.keys(filter).length > 0 || c.url.searchParams.has('cursor')
  const named = await withNames(c, items)
  const rows = items.map((row) => [
    timeOf(c, row.time),
    eventCell(c, row),
    outcomePill(c, row),
    actorOf(named, row.actor),
    subjectOf(named, row),
  ])
  const columns = (['time', 'event', 'outcome', 'actor', 'about'] as const).map((name) =>
    text(`audit.${name}`),
  )
  const body = html`${pageHead(c, { title, lead: text('audit.lead') })}
${doneNote(c, ['done.undone'])}
${filterForm(c, Object.keys(filter).length > 0)}
${problem !== null && problemNote(c, problem)}
${items.length === 0 ? noRows(c, is_filtered) : table(c, { label: title, columns, rows })}
${nextPage(c, next)}`
  return consolePage(c, { title, body, area: 'audit', status: problem?.status ?? 200 })
}

function filterForm(c: OwnVisit, is_open: boolean): Html {
  const { html, text } = c
  const field = (name: string, label: string, hint?: string) =>
    fieldOf(
      c,
      { name, label, kind: 'search', max_length: MAX_PARAMETER, ...(hint !== undefined && { hint }) },
      { value: parameter(c, name), faults: [] },
    )
  return html`<details class="command filters"${is_open && html` open`}>
<summary>${text('audit.filter')}</summary>
<form class="filter" method="get">
${field('actor', text('audit.actor'), text('audit.actor_hint'))}
${field('user', text('audit.user'), text('audit.user_hint'))}
${field('client', text('audit.client'))}
${field('type', text('audit.type'), text('audit.type_hint'))}
<div class="field"><label for="since">${text('audit.since')}</label>
<input id="since" name="since" type="datetime-local" value="${sinceOf(c)}"></div>
<div class="buttons"><button type="submit">${text('audit.apply')}</button>
${is_open && linkButton(c, { href: pathOf(c, 'audit'), text: text('audit.no_filter') })}</div>
</form>
</details>`
}

/** The time as the control shows it. */
function sinceOf(c: OwnVisit): string {
  const since = parameter(c, 'since')
  return secondsOf(since) === '' ? '' : zoned(since).slice(0, 'yyyy-mm-ddThh:mm'.length)
}

function noRows(c: OwnVisit, is_filtered: boolean): Html {
  const { html, text } = c
  if (!is_filtered) return emptyState(c, { title: text('audit.none'), sentence: text('audit.none_why') })
  const all = linkButton(c, { href: pathOf(c, 'audit'), text: text('audit.no_filter') })
  return emptyState(c, {
    title: text('audit.none_found'),
    sentence: text('audit.none_found_why'),
    action: html`<p>${all}</p>`,
  })
}
