/** How a user signs in. */

import type { Html } from '@ostiary/identity'
import { emptyState, linkButton, pill, table, timeOf } from '../pages/parts.js'
import { apiPath, pathOf } from '../paths.js'
import { problemOf } from '../session/api.js'
import type { OwnVisit } from '../visit.js'
import { endLink } from './act-parts.js'
import type { ReadUser, ShownUser } from './user.js'

export interface ShownFactor {
  factor_id: string
  kind: 'passkey' | 'totp'
  label: string
  created_at: number
  last_used_at: number | null
}

interface Ways {
  items: readonly ShownFactor[]
  recovery_codes: number
  password: boolean
  passkeys: number
  recovery_until: number | null
}

export interface ShownLink {
  upstream: string
  label: string
  linked_at: number
  last_used_at: number | null
}

interface ReadWays extends Ways {
  links: readonly ShownLink[]
  invitation: { expires_at: number } | null
}

/** Null where the administrator may not read them. */
export async function waysOf(c: OwnVisit, user: ShownUser): Promise<ReadWays | null> {
  const [factors, linked, invited] = await Promise.all(
    ['factors', 'links', 'invitation'].map((name) =>
      c.api({ method: 'GET', path: apiPath(c, 'users', user.sub, name) }),
    ),
  )
  if (factors === undefined || problemOf(factors) !== null) return null
  const links = linked && problemOf(linked) === null ? (linked.body as { items: ShownLink[] }).items : []
  const invitation = invited && problemOf(invited) === null ? (invited.body as { expires_at: number }) : null
  return { ...(factors.body as Ways), links, invitation }
}

export function waysSection(c: OwnVisit, user: ReadUser, ways: ReadWays | null): Html | false {
  const { html, text } = c
  if (ways === null) return false
  const { links, invitation } = ways
  const used = (at: number | null) => (at === null ? '–' : timeOf(c, at))
  const can_write = c.may('users', 'write')
  const end = (list: 'factors' | 'links', id: string, label: string) =>
    can_write
      ? [endLink(c, { href: pathOf(c, 'users', user.sub, list, id), act: text(`${list}.button`), label })]
      : []
  const rows = [
    ...(ways.password ? [[text('ways.password'), '', '–', '–', ...(can_write ? ['–'] : [])]] : []),
    ...ways.items.map(({ factor_id, kind, label, created_at, last_used_at }) => [
      text(`ways.${kind}`),
      html`<bdi>${label}</bdi>`,
      timeOf(c, created_at),
      used(last_used_at),
      ...end('factors', factor_id, label || text(`ways.${kind}`)),
    ]),
    ...links.map(({ upstream, label, linked_at, last_used_at }) => [
      text('ways.link', { upstream }),
      html`<bdi>${label}</bdi>`,
      timeOf(c, linked_at),
      used(last_used_at),
      ...end('links', upstream, label || upstream),
    ]),
  ]
  const columns = [text('ways.way'), text('word.name'), text('word.since'), text('word.used')]
  return html`<section><h2>${text('ways.title')}</h2>
${
  rows.length === 0
    ? noWays(c, user, invitation)
    : table(c, {
        label: text('ways.title'),
        columns: can_write ? [...columns, text('list.action')] : columns,
        rows,
      })
}
${ways.recovery_codes > 0 && html`<p class="aside">${text('ways.codes', { count: ways.recovery_codes })}</p>`}
${ways.recovery_until !== null && html`<p class="note warning">${text('ways.recovery')} ${timeOf(c, ways.recovery_until)}</p>`}
${
  rows.length > 0 &&
  can_write &&
  user.disabled_at === null &&
  html`<p>${linkButton(c, { href: pathOf(c, 'users', user.sub, 'recovery-link'), text: text('recovery.button') })}</p>`
}</section>`
}

function noWays(c: OwnVisit, { sub, protection }: ReadUser, invitation: { expires_at: number } | null): Html {
  const { html, text } = c
  const action =
    c.may('users', 'write') &&
    protection.configured === null &&
    html`<p>${linkButton(c, { href: pathOf(c, 'users', sub, 'invite'), text: text('invite.button'), kind: '' })}</p>`
  const state =
    invitation !== null &&
    html`<p>${pill(c, text('ways.invited'))} ${text('ways.invited_until')} ${timeOf(c, invitation.expires_at)}</p>`
  return emptyState(c, {
    title: text('ways.none'),
    sentence: text('ways.none_why'),
    action: html`${state}${action}`,
  })
}
