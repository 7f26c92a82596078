/** The last sign-ins and refusals. Rows of several types are read apart, and shown together by their time. */

import {
  apiPath,
  code,
  consolePage,
  emptyState,
  linkButton,
  pageHead,
  pathOf,
  problemOf,
  problemPage,
  refusalFor,
  table,
  timeOf,
} from '@ostiary/console'
import type { Html, HtmlValue } from '@ostiary/identity'
import { notice } from '../pages/notice.js'
import { clientLink, type NamedVisit, userLink, withNames } from '../rows/names.js'
import { eventName, explainedBy, outcomePill, reasonOf, type ShownRow } from '../rows/row.js'
import { REFUSED } from '../rows/types.js'
import { MAX_PARAMETER, type OwnVisit, parameter } from '../visit.js'

const DONE = ['session.started'] as const
const SHOWN = { all: [...REFUSED, ...DONE], refused: REFUSED, done: DONE } as const
type Show = keyof typeof SHOWN

/** Rows of a page. */
const PAGE_SIZE = 50
/** Rows of each type that a page with a reason looks at: no index has the reasons. */
const LOOKED_AT = 200

interface Filter {
  show: Show
  reason: string
  client: string
}

function filterOf(c: OwnVisit): Filter {
  const show = parameter(c, 'show')
  return {
    show: Object.hasOwn(SHOWN, show) ? (show as Show) : 'all',
    reason: parameter(c, 'reason'),
    client: parameter(c, 'client'),
  }
}

export async function signInsPage(c: OwnVisit, parts: readonly string[]): Promise<Response | null> {
  if (parts.length > 0) return null
  const refusal = refusalFor(c, null)
  if (refusal !== null) return refusal
  const filter = filterOf(c)
  const read = await readRows(c, filter)
  if (read instanceof Response) return read
  const { html, text } = c
  const title = text('sign_ins.title')
  const { rows, next } = read
  const named = await withNames(c, rows)
  const shown = rows.map((row) => rowOf(named, row))
  const body = html`${pageHead(c, { title, lead: text('sign_ins.lead') })}
${chips(c, filter)}
${filterForm(c, filter)}
${rows.length === 0 ? noRows(c, filter, next) : table(c, { label: title, columns: columnsOf(c), rows: shown })}
${next !== null && html`<p class="more">${linkButton(c, { href: hrefOf(c, filter, next), text: text('sign_ins.older') })}</p>`}`
  return consolePage(c, { title, body, area: 'sign-ins' })
}

interface ReadRows {
  rows: readonly ShownRow[]
  /** The row after which older ones begin; null where there are none. */
  next: string | null
}

async function readRows(c: OwnVisit, { show, reason, client }: Filter): Promise<ReadRows | Response> {
  const after = parameter(c, 'after')
  const limit = reason === '' ? PAGE_SIZE : LOOKED_AT
  const query = {
    limit: String(limit),
    ...(client !== '' && { client_id: client }),
    ...(AUDIT_ID.test(after) && { after }),
  }
  const path = apiPath(c, 'audit')
  const answers = await Promise.all(
    SHOWN[show].map((type) => c.api({ method: 'GET', path, query: { ...query, type } })),
  )
  const [problem = null] = answers.flatMap((answer) => problemOf(answer) ?? [])
  if (problem !== null)
    return problem.status === 404 ? notice(c, 'sign-ins', problem) : problemPage(c, problem)
  const pages = answers.map(({ body }) => (body as { items: ShownRow[] }).items)
  const newest = pages.flat().sort((one, other) => (one.audit_id < other.audit_id ? 1 : -1))
  // Below the last row of a full page there may be others of its type.
  const reached = pages
    .filter((rows) => rows.length === limit)
    .map((rows) => rows.at(-1)?.audit_id ?? '')
    .sort()
    .at(-1)
  const known = newest.filter(({ audit_id }) => audit_id >= (reached ?? ''))
  const found = known.filter((row) => reason === '' || reasonOf(row) === reason)
  const rows = found.slice(0, PAGE_SIZE)
  if (found.length > PAGE_SIZE) return { rows, next: rows.at(-1)?.audit_id ?? null }
  return { rows, next: reached ?? null }
}

const AUDIT_ID = /^[\da-z]{1,64}$/

const columnsOf = ({ text }: OwnVisit): string[] => [
  text('audit.time'),
  text('audit.event'),
  text('audit.user'),
  text('audit.client'),
  text('explain.title'),
]

function rowOf(c: NamedVisit, row: ShownRow): HtmlValue[] {
  const { html, text } = c
  const { time, type, count, sub, client_id, outcome } = row
  const reason = reasonOf(row)
  const name = explainedBy(row)
  const times = text('sign_ins.times', { count })
  return [
    timeOf(c, time),
    html`<span>${outcome === 'refused' && html`${outcomePill(c, row)} `}${eventName(c, type)}${count > 1 && html` <small class="number">${times}</small>`}${reason !== null && html`<br><a href="${hrefOf(c, { ...filterOf(c), reason })}">${code(c, reason)}</a>`}</span>`,
    sub === null ? '–' : userLink(c, sub),
    client_id === null ? '–' : clientLink(c, client_id),
    name === null
      ? html`<a href="${pathOf(c, 'audit', row.audit_id)}">${text('audit.id')}</a>`
      : html`<a class="nowrap" href="${pathOf(c, 'explain', name)}" aria-label="${`${text('explain.title')}: ${name}`}">${text('explain.title')}</a>`,
  ]
}

function hrefOf(c: OwnVisit, { show, reason, client }: Filter, after = ''): string {
  const given = Object.entries({ show: show === 'all' ? '' : show, reason, client, after })
  const search = new URLSearchParams(given.filter(([, value]) => value !== ''))
  return `${pathOf(c, 'sign-ins')}${search.size > 0 ? `?${search}` : ''}`
}

const chips = (c: OwnVisit, filter: Filter): Html =>
  c.html`<ul class="chips">${(['all', 'refused', 'done'] as const).map(
    (show) =>
      c.html`<li><a href="${hrefOf(c, { ...filter, show })}"${filter.show === show && c.html` aria-current="true"`}>${c.text(`sign_ins.${show}`)}</a></li>\n`,
  )}</ul>`

function filterForm(c: OwnVisit, { show, reason, client }: Filter): Html {
  const { html, text } = c
  const field = (
    name: string,
    label: string,
    value: string,
  ) => html`<div><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="search" value="${value}" maxlength="${MAX_PARAMETER}" autocomplete="off" autocapitalize="none" spellcheck="false"></div>`
  return html`<form class="search" method="get">
${show !== 'all' && html`<input type="hidden" name="show" value="${show}">`}
${field('reason', text('sign_ins.reason'), reason)}
${field('client', text('audit.client'), client)}
<button type="submit" class="quiet">${text('sign_ins.apply')}</button>
</form>`
}

function noRows(c: OwnVisit, { show, reason, client }: Filter, next: string | null): Html {
  const { text } = c
  const is_filtered = show !== 'all' || reason !== '' || client !== '' || c.url.searchParams.has('after')
  if (!is_filtered && next === null)
    return emptyState(c, { title: text('sign_ins.none'), sentence: text('sign_ins.none_why') })
  const all = linkButton(c, { href: pathOf(c, 'sign-ins'), text: text('audit.no_filter') })
  return emptyState(c, {
    title: text('sign_ins.none_found'),
    sentence: text('sign_ins.none_found_why'),
    action: c.html`<p>${all}</p>`,
  })
}
