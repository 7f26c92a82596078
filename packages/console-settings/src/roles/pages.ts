/** The pages of roles. */

import {
  apiPath,
  code,
  consolePage,
  doneNote,
  emptyState,
  linkButton,
  nextPage,
  type Page,
  pageHead,
  pathOf,
  pill,
  readRecord,
  refusalFor,
  table,
  trail,
} from '@ostiary/console'
import type { Html } from '@ostiary/identity'
import type { OwnVisit } from '../visit.js'
import { grantPage, revokePage } from './acts.js'
import { holderPath, type ListedRole, type ListedRoles, nameOf, type ShownRole } from './role.js'

/** The list, the choice of a role, the form that gives it, and that which takes one. */
export async function rolesPage(c: OwnVisit, [kind, ...named]: readonly string[]): Page {
  const is_choice = kind === 'new' && named.length === 0
  const refusal = refusalFor(c, kind === undefined ? null : 'roles')
  if (refusal !== null) return refusal
  if (kind !== undefined && !is_choice && named.length !== (kind === 'new' ? 1 : 2)) return null
  const found = await readRecord<ListedRoles>(c, apiPath(c, 'roles'))
  if (found instanceof Response) return found
  const { items, grantable } = found.record
  if (is_choice) return refusalFor(c, null) ?? chooseRole(c, grantable)
  if (kind === 'new') {
    const given = grantable.find(({ role }) => role === named[0])
    return given === undefined ? null : grantPage(c, given)
  }
  if (kind === undefined) return listRoles(c, items)
  const row = items.find(
    (each) => [...holderPath(each), each.role].join('\n') === [kind, ...named].join('\n'),
  )
  return row === undefined ? null : revokePage(c, row)
}

/** Roles of a page: each name is read. */
const PAGE_SIZE = 50

async function listRoles(c: OwnVisit, roles: readonly ListedRole[]): Promise<Response> {
  const { html, text } = c
  const title = text('roles.title')
  const start = startOf(c, roles.length)
  const shown = roles.slice(start, start + PAGE_SIZE)
  const names = await Promise.all(shown.map((row) => nameOf(c, row)))
  const can_write = c.may('roles', 'write')
  const grant =
    can_write && linkButton(c, { href: pathOf(c, 'roles', 'new'), text: text('grant.title'), kind: '' })
  const columns = [
    text('role.holder'),
    text('role.role'),
    text('role.realms'),
    ...(can_write ? [text('word.action')] : []),
  ]
  const rows = shown.map((row, at) => [
    holderCell(c, row, names[at] ?? ''),
    html`${row.role}`,
    realmsCell(c, row),
    ...(can_write
      ? [
          row.stays === null
            ? html`<a href="${pathOf(c, 'roles', ...holderPath(row), row.role)}">${text('take.button')}</a>`
            : text(`stays.${row.stays}`),
        ]
      : []),
  ])
  const end = start + PAGE_SIZE
  const body = html`${pageHead(c, { title, lead: text('roles.lead'), actions: grant })}
${doneNote(c, ['done.role_granted', 'done.role_revoked'])}
<div class="below">${
    rows.length === 0
      ? emptyState(c, { title: text('roles.none'), sentence: text('roles.none_why') })
      : table(c, { label: title, columns, rows })
  }</div>
${nextPage(c, end < roles.length ? String(end) : null)}`
  return consolePage(c, { title, body, area: 'roles' })
}

/** The list is read as a whole: a cursor is the place of the first role. Another one is the first page. */
function startOf({ url }: OwnVisit, count: number): number {
  const cursor = url.searchParams.get('cursor') ?? ''
  const start = /^\d{1,4}$/.test(cursor) ? Number(cursor) : 0
  return start < count ? start : 0
}

function holderCell(c: OwnVisit, { sub, client_id }: ShownRole, name: string): Html {
  const { html, text } = c
  if (sub === null) return html`<span>${code(c, client_id ?? '')} ${pill(c, text('role.client'))}</span>`
  const shown = html`<bdi>${name}</bdi>`
  return c.may('users', 'read') ? html`<a href="${pathOf(c, 'users', sub)}">${shown}</a>` : shown
}

function realmsCell(c: OwnVisit, { realms }: ShownRole): Html {
  const { html, text } = c
  return realms.includes('*') ? html`${text('role.all_realms')}` : html`<bdi>${realms.join(', ')}</bdi>`
}

function chooseRole(c: OwnVisit, grantable: ListedRoles['grantable']): Response {
  const { html, text } = c
  const title = text('grant.title')
  const body = html`${trail(c, [[pathOf(c, 'roles'), text('roles.title')]])}
${pageHead(c, { title, lead: text('grant.choose') })}
<ul class="cards">${grantable.map(({ role }) => html`<li><a href="${pathOf(c, 'roles', 'new', role)}"><strong>${role}</strong> <span>${text(`role.${role}`)}</span></a></li>\n`)}</ul>`
  return consolePage(c, { title, body, area: 'roles' })
}
