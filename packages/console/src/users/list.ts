/** The list of users. */

import { problemPage } from '../pages/errors.js'
import { doneNote, emptyState, nextPage, pageHead, pill, table, timeOf } from '../pages/parts.js'
import { consolePage } from '../pages/shell.js'
import { problemOf } from '../session/api.js'
import { pathOf, type Visit } from '../visit.js'
import { claimOf, type ShownUser } from './user.js'

const PAGE_SIZE = '50'

export async function listUsers(c: Visit): Promise<Response> {
  const { html, text, url, realm } = c
  const prefix = (url.searchParams.get('prefix') ?? '').trim().slice(0, 255)
  const cursor = url.searchParams.get('cursor')
  const answer = await c.api({
    method: 'GET',
    path: `/realms/${encodeURIComponent(realm)}/users`,
    query: {
      limit: PAGE_SIZE,
      ...(prefix !== '' && { username_prefix: prefix }),
      ...(cursor !== null && { cursor }),
    },
  })
  const problem = problemOf(answer)
  if (problem !== null && problem.status !== 400) return problemPage(c, problem)
  const { items, next } = (problem === null ? answer.body : { items: [], next: null }) as {
    items: ShownUser[]
    next: string | null
  }
  const title = text('users.title')
  const can_write = c.may('users', 'write', realm)
  const create =
    can_write && html`<a class="button" href="${pathOf(c, 'users', 'new')}">${text('users.new')}</a>`
  const body = html`${pageHead(c, { title, lead: text('users.lead'), actions: create })}
${doneNote(c, ['done.user_deleted'])}
<form class="search" method="get" role="search">
<div><label for="prefix">${text('users.search')}</label>
<input id="prefix" name="prefix" type="search" value="${prefix}" maxlength="255" autocomplete="off" autocapitalize="none" spellcheck="false"></div>
<button type="submit" class="quiet">${text('list.search')}</button>
</form>
${problem !== null && html`<p class="note" role="alert" lang="en">${problem.detail}</p>`}
${items.length === 0 ? noUsers(c, prefix) : table(c, { label: title, columns: columnsOf(c), rows: items.map((user) => rowOf(c, user)) })}
${nextPage(c, next)}`
  return consolePage(c, { title, body, area: 'users', status: problem?.status ?? 200 })
}

const columnsOf = ({ text }: Visit): string[] => [
  text('user.username'),
  text('user.name'),
  text('user.email'),
  text('user.state'),
  text('user.created'),
]

const rowOf = (c: Visit, user: ShownUser) => [
  c.html`<a href="${pathOf(c, 'users', user.sub)}"><bdi>${user.username}</bdi></a>`,
  c.html`<bdi>${claimOf(user, 'name')}</bdi>`,
  c.html`<bdi>${claimOf(user, 'email')}</bdi>`,
  statePill(c, user),
  timeOf(c, user.created_at),
]

export const statePill = (c: Visit, { disabled_at }: ShownUser) =>
  disabled_at === null ? pill(c, c.text('user.active'), 'good') : pill(c, c.text('user.disabled'), 'bad')

function noUsers(c: Visit, prefix: string) {
  const { html, text } = c
  if (prefix !== '' || c.url.searchParams.has('cursor'))
    return emptyState(c, {
      title: text('users.none_found'),
      sentence: text('users.none_found_why'),
      action: html`<p><a href="${pathOf(c, 'users')}">${text('users.all')}</a></p>`,
    })
  return emptyState(c, { title: text('users.none'), sentence: text('users.none_why') })
}
