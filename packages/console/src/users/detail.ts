/** One user: who it is, how the user signs in, and what goes on. */

import type { Html } from '@ostiary/identity'
import {
  code,
  dangerZone,
  doneNote,
  factList,
  linkButton,
  pageHead,
  pill,
  section,
  table,
  timeOf,
  trail,
} from '../pages/parts.js'
import { ofRole, protectionNote, within } from '../pages/protection.js'
import { consolePage } from '../pages/shell.js'
import { apiPath, pathOf } from '../paths.js'
import type { OwnVisit } from '../visit.js'
import { endLink } from './act-parts.js'
import { itemsOf } from './items.js'
import { limitsOf, limitsSection, lockNote, lockOf } from './limits.js'
import { statePill } from './list.js'
import { claimOf, readUser, type ShownUser } from './user.js'
import { waysOf, waysSection } from './ways.js'

const DONE = [
  'done.disabled',
  'done.enabled',
  'done.access_ended',
  'done.user_created',
  'done.limits_reset',
  'done.consent_revoked',
  'done.user_changed',
  'done.invited',
  'done.factor_removed',
  'done.link_removed',
  'done.session_ended',
] as const

export async function userDetail(visit: OwnVisit, sub: string): Promise<Response> {
  const { html, text } = visit
  const found = await readUser(visit, sub)
  if (found instanceof Response) return found
  const { record: user } = found
  const { protection } = user
  const c = within(visit, ofRole(protection))
  const [throttles, ways, ...sections] = await Promise.all([
    limitsOf(c, user),
    waysOf(c, user),
    sessionsSection(c, user),
    applicationsSection(c, user),
  ])
  const can_change = c.may('users', 'write') && protection.configured === null
  const state = statePill(c, user, lockOf(throttles) !== null)
  const body = html`${trail(c, [[pathOf(c, 'users'), text('users.title')]])}
${pageHead(c, { title: html`<bdi>${user.username}</bdi> ${state}`, actions: actionsOf(c, user, can_change) })}
${visit.may('users', 'write') && protectionNote(c, protection)}
${doneNote(c, DONE)}
${lockNote(c, throttles)}
${factList(c, [
  [text('word.name'), html`<bdi>${claimOf(user, 'name') || '–'}</bdi>`],
  [text('user.email'), emailOf(c, user)],
  [
    text('user.groups'),
    (user.groups ?? []).length === 0 ? '–' : (user.groups ?? []).map((name) => html`${pill(c, name)} `),
  ],
  [text('user.sub'), code(c, user.sub)],
  [text('word.created'), timeOf(c, user.created_at)],
  [text('user.changed'), timeOf(c, user.updated_at)],
])}
${waysSection(c, user, ways)}
${sections}
${limitsSection(c, user, throttles)}
${can_change && dangerZone(c, { href: pathOf(c, 'users', sub, 'delete'), text: text('delete_user.button'), lead: text('delete_user.lead') })}`
  return consolePage(c, { title: user.username, body, area: 'users' })
}

function emailOf(c: OwnVisit, user: ShownUser): Html {
  const { html, text } = c
  const email = claimOf(user, 'email')
  if (email === '') return html`–`
  const verified = user.claims.email_verified === true
  return html`<bdi>${email}</bdi> ${pill(c, text(verified ? 'user.verified' : 'user.unverified'), verified ? 'good' : 'plain')}`
}

function actionsOf(c: OwnVisit, { sub, disabled_at }: ShownUser, can_edit: boolean): Html {
  const { html, text } = c
  const to = (name: string, label: string) =>
    linkButton(c, { href: pathOf(c, 'users', sub, name), text: label })
  return html`${can_edit && to('edit', text('word.edit'))}${
    c.may('users', 'write') &&
    (disabled_at === null ? to('disable', text('disable.button')) : to('enable', text('enable.button')))
  }${c.may('sessions', 'write') && to('end-access', text('end_access.button'))}`
}

export interface ShownSession {
  sid: string
  created_at: number
  /** Null before the first use. */
  last_used_at: number | null
  user_agent: string | null
  client_ids: readonly string[]
}

async function sessionsSection(c: OwnVisit, { sub }: ShownUser): Promise<Html | false> {
  const { html, text } = c
  if (!c.may('sessions', 'read')) return false
  const items = await itemsOf<ShownSession>(c, apiPath(c, 'users', sub, 'sessions'))
  const can_end = c.may('sessions', 'write')
  const columns = [
    text('sessions.browser'),
    text('sessions.began'),
    text('word.used'),
    text('sessions.clients'),
  ]
  const end = (sid: string, label: string) =>
    endLink(c, { href: pathOf(c, 'users', sub, 'sessions', sid), act: text('session.button'), label })
  const shown =
    items.length === 0
      ? html`<p class="aside">${text('sessions.none')}</p>`
      : table(c, {
          label: text('sessions.title'),
          columns: can_end ? [...columns, text('list.action')] : columns,
          rows: items.map(({ sid, user_agent, created_at, last_used_at, client_ids }) => [
            html`<bdi>${user_agent ?? '–'}</bdi>`,
            timeOf(c, created_at),
            last_used_at === null ? '–' : timeOf(c, last_used_at),
            client_ids.length === 0 ? '–' : client_ids.map((id) => html`${code(c, id)} `),
            ...(can_end ? [end(sid, user_agent ?? sid)] : []),
          ]),
        })
  return section(c, text('sessions.title'), shown)
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

async function applicationsSection(c: OwnVisit, { sub }: ShownUser): Promise<Html> {
  const { html, text } = c
  const consents = c.may('consents', 'read')
    ? await itemsOf<ShownConsent>(c, apiPath(c, 'users', sub, 'consents'))
    : []
  const grants = c.may('sessions', 'read')
    ? await itemsOf<ShownGrant>(c, apiPath(c, 'users', sub, 'grants'))
    : []
  const valid = consents.filter(({ revoked_at }) => revoked_at === null)
  const can_revoke = c.may('consents', 'write')
  const scopesOf = (scopes: readonly string[]) => scopes.map((scope) => html`${code(c, scope)} `)
  const revoke = (client_id: string) =>
    endLink(c, {
      href: pathOf(c, 'users', sub, 'consents', client_id),
      act: text('consents.button'),
      label: client_id,
    })
  const shown = html`<p class="aside">${text('applications.lead')}</p>
${
  valid.length > 0 &&
  table(c, {
    label: text('applications.consents'),
    columns: [
      text('applications.client'),
      text('applications.scopes'),
      text('word.since'),
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
  grants.length > 0 &&
  table(c, {
    label: text('applications.grants'),
    columns: [
      text('applications.grant'),
      text('applications.scopes'),
      text('word.since'),
      text('word.until'),
    ],
    rows: grants.map(({ client_id, scopes, created_at, expires_at }) => [
      code(c, client_id),
      scopesOf(scopes),
      timeOf(c, created_at),
      timeOf(c, expires_at),
    ]),
  })
}
${valid.length + grants.length === 0 && html`<p class="empty-line">${text('applications.none')}</p>`}`
  return section(c, text('applications.title'), shown)
}
