/** The list of users. */

import { problemNote } from '../pages/errors.js'
import { doneNote, emptyState, linkButton, nextPage, pageHead, pill, table, timeOf } from '../pages/parts.js'
import { type ListPage, readPage } from '../pages/read.js'
import { consolePage } from '../pages/shell.js'
import { apiPath, pathOf } from '../paths.js'
import type { OwnVisit } from '../visit.js'
import { claimOf, type ShownUser } from './user.js'

export async function listUsers(c: OwnVisit): Promise<Response> {
  const { html, text, url } = c
  const prefix = (url.searchParams.get('prefix') ?? '').trim().slice(0, 255)
  const page = await pageOf(c, prefix)
  if (page instanceof Response) return page
  const { items, next, problem } = page
  const title = text('users.title')
  const can_write = c.may('users', 'write')
  const create =
    can_write && linkButton(c, { href: pathOf(c, 'users', 'new'), text: text('users.new'), kind: '' })
  const body = html`${pageHead(c, { title, lead: text('users.lead'), actions: create })}
${doneNote(c, ['done.user_deleted'])}
<form class="search" method="get" role="search">
<div><label for="prefix">${text('users.search')}</label>
<input id="prefix" name="prefix" type="search" value="${prefix}" maxlength="255" autocomplete="off" autocapitalize="none" spellcheck="false"></div>
<button type="submit" class="quiet">${text('list.search')}</button>
</form>
${problem !== null && problemNote(c, problem)}
${items.length === 0 ? noUsers(c, prefix) : table(c, { label: title, columns: columnsOf(c), rows: items.map((user) => rowOf(c, user)) })}
${nextPage(c, next)}`
  return consolePage(c, { title, body, area: 'users', status: problem?.status ?? 200 })
}

/** By username; a divided database lists all users in the order of their `sub`. */
async function pageOf(c: OwnVisit, username_prefix: string): Promise<ListPage<ShownUser> | Response> {
  const path = apiPath(c, 'users')
  const page = await readPage<ShownUser>(c, path, { username_prefix })
  if (page instanceof Response || page.problem === null || username_prefix !== '') return page
  return readPage<ShownUser>(c, path)
}

const columnsOf = ({ text }: OwnVisit): string[] => [
  text('user.username'),
  text('word.name'),
  text('user.email'),
  text('user.state'),
  text('word.created'),
]

const rowOf = (c: OwnVisit, user: ShownUser) => [
  c.html`<a href="${pathOf(c, 'users', user.sub)}"><bdi>${user.username}</bdi></a>`,
  c.html`<bdi>${claimOf(user, 'name')}</bdi>`,
  c.html`<bdi>${claimOf(user, 'email')}</bdi>`,
  statePill(c, user),
  timeOf(c, user.created_at),
]

/** @param is_locked The list does not know it: counters are read of one user alone. */
export function statePill(c: OwnVisit, { disabled_at }: ShownUser, is_locked = false) {
  if (disabled_at !== null) return pill(c, c.text('user.disabled'), 'bad')
  return is_locked ? pill(c, c.text('limits.locked'), 'bad') : pill(c, c.text('user.active'), 'good')
}

function noUsers(c: OwnVisit, prefix: string) {
  const { html, text } = c
  if (prefix !== '' || c.url.searchParams.has('cursor'))
    return emptyState(c, {
      title: text('users.none_found'),
      sentence: text('users.none_found_why'),
      action: html`<p><a href="${pathOf(c, 'users')}">${text('users.all')}</a></p>`,
    })
  return emptyState(c, { title: text('users.none'), sentence: text('users.none_why') })
}
