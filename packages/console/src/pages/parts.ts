/** Parts of pages: fields, facts, tables, empty lists. */

import type { Html, HtmlValue } from '@ostiary/identity'
import type { ApiFault } from '../session/api.js'
import { textOf } from '../texts/texts.js'
import type { TextOf } from '../texts/texts-of.js'
import type { Visit } from '../visit.js'

/** A title, what the page is for, and what one can do there. */
export function pageHead(c: Visit, head: { title: HtmlValue; lead?: HtmlValue; actions?: HtmlValue }): Html {
  const { html } = c
  const { title, lead = null, actions = null } = head
  return html`<div class="title">
<h1>${title}</h1>
${actions !== null && html`<div class="actions">${actions}</div>`}
</div>
${lead !== null && html`<p class="lead">${lead}</p>`}`
}

/** A link that looks as a button does. */
export const linkButton = (
  c: Visit,
  link: { href: string; text: string; kind?: 'quiet' | 'danger' | '' },
): Html => c.html`<a class="${`button ${link.kind ?? 'quiet'}`}" href="${link.href}">${link.text}</a>\n`

/** A part of a page. */
export const section = (c: Visit, title: string, body: HtmlValue): Html => c.html`<section><h2>${title}</h2>
${body}</section>`

/** What ends for good, at the end of a page. */
export const dangerZone = (c: Visit, link: { href: string; text: string; lead: string }): Html =>
  c.html`<section class="danger-zone"><h2>${link.text}</h2>
<p>${link.lead}</p>
<p>${linkButton(c, { ...link, kind: 'danger' })}</p></section>`

/** Where a page is. */
export const trail = (c: Visit, links: readonly (readonly [string, string])[]): Html => {
  const { html } = c
  return html`<nav class="trail" aria-label="${textOf(c)('nav.trail')}">${links.map(([href, name]) => html`<span aria-hidden="true">‹</span> <a href="${href}">${name}</a> `)}</nav>`
}

/** What was just done. */
export function doneNote<Key extends string>(
  c: Visit & { text: TextOf<Key> },
  keys: readonly Key[],
): Html | false {
  const { html, text, url } = c
  const done = url.searchParams.get('done')
  const key = keys.find((each) => each === `done.${done}`)
  return key !== undefined && html`<p class="note done" role="status">${text(key)}</p>`
}

/** A name and a value. */
export type Fact = readonly [name: string, value: HtmlValue]

/** Names and their values. */
export const factList = (c: Visit, facts: readonly Fact[]): Html =>
  c.html`<dl class="facts">${facts.map(([name, value]) => c.html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`

/** A text that a program reads. */
export const code = (c: Visit, text: string): Html => c.html`<code>${text}</code>`

/** Characters that fit on the narrowest screen: the end of more is in the tooltip. */
const PILL_LENGTH = 24

/** A state in a word. */
export const pill = (c: Visit, text: string, kind: 'plain' | 'bad' | 'good' = 'plain'): Html =>
  c.html`<span class="${`pill ${kind}`}"${text.length > PILL_LENGTH && c.html` title="${text}"`}>${text}</span>`

/** A time, as the language writes it. @param at Epoch seconds. */
export function timeOf(c: Visit, at: number): Html {
  const { html, language } = c
  const date = new Date(at * 1000)
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  const locale = language === 'en' ? 'en-GB' : language
  return html`<time datetime="${date.toISOString()}">${new Intl.DateTimeFormat(locale, format).format(date)} UTC</time>`
}

/** An empty list says what it is for. */
export const emptyState = (
  c: Visit,
  empty: { title: string; sentence: string; action?: HtmlValue },
): Html => c.html`<div class="empty">
<p><strong>${empty.title}</strong></p>
<p>${empty.sentence}</p>
${empty.action}
</div>`

/** What a table has. */
export interface Table {
  label: string
  columns: readonly string[]
  rows: readonly (readonly HtmlValue[])[]
}

/** A table whose rows are stacked on a narrow screen. Roles stay where the display of a table is another one. */
export function table(c: Visit, { label, columns, rows }: Table): Html {
  const { html } = c
  return html`<table class="list" role="table" aria-label="${label}">
<thead role="rowgroup"><tr role="row">${columns.map((name) => html`<th role="columnheader" scope="col">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">
${rows.map(
  (cells) =>
    html`<tr role="row">${cells.map((cell, place) => html`<td role="cell" data-label="${columns[place]}">${cell}</td>`)}</tr>\n`,
)}</tbody>
</table>`
}

/** The link to the next page of a list. @param next The cursor; null on the last page. */
export function nextPage(c: Visit, next: string | null): Html | false {
  const { html, url } = c
  if (next === null) return false
  const search = new URLSearchParams(url.searchParams)
  search.set('cursor', next)
  return html`<p class="more"><a class="button quiet" rel="next" href="${`${url.pathname}?${search}`}">${textOf(c)('list.next')}</a></p>`
}

/** A field of a form. */
export interface Field {
  name: string
  label: string
  hint?: string
  kind?: 'text' | 'password' | 'lines' | 'checkbox' | 'search' | 'select'
  /** Of a select: each value, and what is shown of it. */
  choices?: readonly (readonly [value: string, label: string])[]
  required?: boolean
  max_length?: number
  /** Of browsers: `off` when absent. */
  autocomplete?: string
  /** Members of the request that it sets. */
  pointers?: readonly string[]
  /** What is typed is prose, which a keyboard may correct. */
  is_prose?: boolean
}

interface FieldState {
  value: string
  faults: readonly ApiFault[]
}

/** The faults of a field. */
export const faultsOf = (
  { pointers = [] }: Pick<Field, 'pointers'>,
  faults: readonly ApiFault[],
): readonly ApiFault[] =>
  faults.filter(({ pointer }) => pointers.some((each) => pointer === each || pointer.startsWith(`${each}/`)))

export function fieldOf(c: Visit, field: Field, { value, faults }: FieldState): Html {
  const { html } = c
  const { name, label, hint, kind = 'text', required, max_length, autocomplete = 'off', is_prose } = field
  const own = faultsOf(field, faults)
  const described = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(own.length > 0 ? [`${name}-error`] : []),
  ]
  const common = html` id="${name}" name="${name}"${required && html` required`}${described.length > 0 && html` aria-describedby="${described.join(' ')}"`}${own.length > 0 && html` aria-invalid="true"`}`
  const about = html`${hint !== undefined && html`<p class="hint" id="${`${name}-hint`}">${hint}</p>`}
${own.length > 0 && html`<p class="fault" id="${`${name}-error`}" lang="en">${own.map(({ message }) => message).join('; ')}</p>`}`
  if (kind === 'checkbox')
    return html`<div class="check"><input type="checkbox"${common} value="1"${value === '1' && html` checked`}>
<label for="${name}">${label}</label>
${about}</div>`
  const typed = html`${max_length !== undefined && html` maxlength="${max_length}"`}${!is_prose && html` autocapitalize="none" autocorrect="off" spellcheck="false"`} autocomplete="${autocomplete}"`
  const control = () => {
    if (kind === 'select') return html`<select${common}>${choicesOf(c, field, value)}</select>`
    if (kind === 'lines')
      return html`<textarea${common}${typed} rows="3">
${value}</textarea>`
    return html`<input type="${kind}"${common}${typed} value="${kind === 'password' ? '' : value}">`
  }
  return html`<div class="field"><label for="${name}">${label}</label>
${control()}
${about}</div>`
}

const choicesOf = ({ html }: Visit, { choices = [] }: Field, chosen: string): Html[] =>
  choices.map(
    ([value, label]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  )

/** The lines of a text, without empty ones and without spaces around them. @param kept Lines that stay as they are. */
export const linesIn = (value: string, kept: readonly string[] = []): string[] =>
  value.split(/\r\n|\r|\n/).flatMap((line) => {
    if (kept.includes(line)) return [line]
    return line.trim() === '' ? [] : [line.trim()]
  })
