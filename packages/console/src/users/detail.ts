/** One user: who it is, how the user signs in, and what goes on. */

import type { Html } from '@ostiary/identity'
import { problemPage } from '../pages/errors.js'
import { code, doneNote, factList, pageHead, pill, table, timeOf, trail } from '../pages/parts.js'
import { consolePage } from '../pages/shell.js'
import { problemOf } from '../session/api.js'
import { pathOf, type Visit } from '../visit.js'
import { statePill } from './list.js'
import { claimOf, readUser, type ShownUser, userPath } from './user.js'
import { waysSection } from './ways.js'

const DONE = [
  'done.disabled',
  'done.enabled',
  'done.access_ended',
  'done.user_created',
  'done.limits_reset',
  'done.consent_revoked',
  'done.user_changed',
] as const

export async function userDetail(c: Visit, sub: string): Promise<Response> {
  const { html, text } = c
  const found = await readUser(c, sub)
  if ('status' in found) return problemPage(c, found)
  const { user } = found
  const sections = await Promise.all([
    waysSection(c, user),
    sessionsSection(c, user),
    applicationsSection(c, user),
    limitsSection(c, user),
  ])
  const body = html`${trail(c, [[pathOf(c, 'users'), text('users.title')]])}
${pageHead(c, { title: html`<bdi>${user.username}</bdi> ${statePill(c, user)}`, actions: actionsOf(c, user) })}
${doneNote(c, DONE)}
${factList(c, [
  [text('user.name'), html`<bdi>${claimOf(user, 'name') || '–'}</bdi>`],
  [text('user.email'), emailOf(c, user)],
  [
    text('user.groups'),
    (user.groups ?? []).length === 0 ? '–' : (user.groups ?? []).map((name) => html`${pill(c, name)} `),
  ],
  [text('user.sub'), code(c, user.sub)],
  [text('user.created'), timeOf(c, user.created_at)],
  [text('user.changed'), timeOf(c, user.updated_at)],
])}
${sections}
${dangerSection(c, user)}`
  return consolePage(c, { title: user.username, body, area: 'users' })
}

function emailOf(c: Visit, user: ShownUser): Html {
  const { html, text } = c
  const email = claimOf(user, 'email')
  if (email === '') return html`–`
  const verified = user.claims.email_verified === true
  return html`<bdi>${email}</bdi> ${pill(c, text(verified ? 'user.verified' : 'user.unverified'), verified ? 'good' : 'plain')}`
}

function actionsOf(c: Visit, { sub, disabled_at }: ShownUser): Html | false {
  const { html, text, realm } = c
  const to = (name: string, label: string) =>
    html`<a class="button quiet" href="${pathOf(c, 'users', sub, name)}">${label}</a>\n`
  const can_write = c.may('users', 'write', realm)
  return html`${can_write && to('edit', text('user.edit'))}${
    can_write &&
    (disabled_at === null ? to('disable', text('disable.button')) : to('enable', text('enable.button')))
  }${c.may('sessions', 'write', realm) && to('end-access', text('end_access.button'))}`
}

/** The items of a list of the user's; null where the administrator may not read it. */
async function itemsOf<Item>(c: Visit, path: string, query = {}): Promise<Item[] | null> {
  const answer = await c.api({ method: 'GET', path, query })
  const problem = problemOf(answer)
  return problem === null ? (answer.body as { items: Item[] }).items : null
}

interface ShownSession {
  sid: string
  created_at: number
  last_used_at: number
  user_agent: string | null
  client_ids: readonly string[]
}

async function sessionsSection(c: Visit, { sub }: ShownUser): Promise<Html | false> {
  const { html, text } = c
  if (!c.may('sessions', 'read', c.realm)) return false
  const items = (await itemsOf<ShownSession>(c, userPath(c, sub, '/sessions'))) ?? []
  return html`<section><h2>${text('sessions.title')}</h2>
${
  items.length === 0
    ? html`<p class="aside">${text('sessions.none')}</p>`
    : table(c, {
        label: text('sessions.title'),
        columns: [
          text('sessions.browser'),
          text('sessions.began'),
          text('sessions.used'),
          text('sessions.clients'),
        ],
        rows: items.map(({ user_agent, created_at, last_used_at, client_ids }) => [
          html`<bdi>${user_agent ?? '–'}</bdi>`,
          timeOf(c, created_at),
          timeOf(c, last_used_at),
          client_ids.length === 0 ? '–' : client_ids.map((id) => html`${code(c, id)} `),
        ]),
      })
}</section>`
}

interface ShownConsent {
  client_id: string
  resource: string
  scopes: readonly string[]
  updated_at?: number
  created_at: number
  revoked_at: number | null
}

interface ShownGrant {
  client_id: string
  scopes: readonly string[]
  offline: boolean
  created_at: number
  expires_at: number
}

async function applicationsSection(c: Visit, { sub }: ShownUser): Promise<Html> {
  const { html, text, realm } = c
  const consents = c.may('consents', 'read', realm)
    ? await itemsOf<ShownConsent>(c, userPath(c, sub, '/consents'))
    : null
  const grants = c.may('sessions', 'read', realm)
    ? await itemsOf<ShownGrant>(c, userPath(c, sub, '/grants'))
    : null
  const valid = (consents ?? []).filter(({ revoked_at }) => revoked_at === null)
  const can_revoke = c.may('consents', 'write', realm)
  const scopesOf = (scopes: readonly string[]) => scopes.map((scope) => html`${code(c, scope)} `)
  const revoke = (client_id: string) =>
    html`<a href="${pathOf(c, 'users', sub, 'consents', client_id)}" aria-label="${`${text('consents.revoke')}: ${client_id}`}">${text('consents.revoke')}</a>`
  return html`<section><h2>${text('applications.title')}</h2>
<p class="aside">${text('applications.lead')}</p>
${
  valid.length > 0 &&
  table(c, {
    label: text('applications.consents'),
    columns: [
      text('applications.client'),
      text('applications.scopes'),
      text('applications.since'),
      text('list.action'),
    ],
    rows: valid.map(({ client_id, scopes, created_at }) => [
      code(c, client_id),
      scopesOf(scopes),
      timeOf(c, created_at),
      can_revoke ? revoke(client_id) : '–',
    ]),
  })
}
${
  (grants ?? []).length > 0 &&
  table(c, {
    label: text('applications.grants'),
    columns: [
      text('applications.grant'),
      text('applications.scopes'),
      text('applications.since'),
      text('applications.until'),
    ],
    rows: (grants ?? []).map(({ client_id, scopes, created_at, expires_at }) => [
      code(c, client_id),
      scopesOf(scopes),
      timeOf(c, created_at),
      timeOf(c, expires_at),
    ]),
  })
}
${valid.length + (grants ?? []).length === 0 && html`<p class="empty-line">${text('applications.none')}</p>`}</section>`
}

interface ShownThrottle {
  limit: string
  counted: number
  maximum: number
  until: number
}

async function limitsSection(c: Visit, { sub, username }: ShownUser): Promise<Html> {
  const { html, text } = c
  const path = `/realms/${encodeURIComponent(c.realm)}/throttles`
  const items = (await itemsOf<ShownThrottle>(c, path, { username })) ?? []
  if (items.length === 0)
    return html`<section><h2>${text('limits.title')}</h2><p class="aside">${text('limits.none')}</p></section>`
  return html`<section><h2>${text('limits.title')}</h2>
${table(c, {
  label: text('limits.title'),
  columns: [text('limits.limit'), text('limits.counted'), text('limits.until')],
  rows: items.map(({ limit, counted, maximum, until }) => [
    code(c, limit),
    `${counted} / ${maximum}`,
    timeOf(c, until),
  ]),
})}
${c.may('users', 'write', c.realm) && html`<p><a class="button quiet" href="${pathOf(c, 'users', sub, 'limits')}">${text('limits.reset')}</a></p>`}</section>`
}

function dangerSection(c: Visit, { sub }: ShownUser): Html | false {
  const { html, text } = c
  if (!c.may('users', 'write', c.realm)) return false
  return html`<section class="danger-zone"><h2>${text('delete_user.title')}</h2>
<p>${text('delete_user.lead')}</p>
<p><a class="button danger" href="${pathOf(c, 'users', sub, 'delete')}">${text('delete_user.button')}</a></p></section>`
}
