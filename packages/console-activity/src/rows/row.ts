/** Rows of the audit, as the API shows them, and how pages show them. */

import { apiPath, code, pathOf, pill, problemOf } from '@ostiary/console'
import type { Html, HtmlValue } from '@ostiary/identity'
import { EVENTS } from '../texts/events.js'
import type { OwnKey } from '../texts/texts.js'
import type { OwnVisit } from '../visit.js'
import { clientLink, type NamedVisit, userLink } from './names.js'

/** Times are epoch seconds. */
export interface ShownRow {
  audit_id: string
  time: number
  type: string
  outcome: 'done' | 'begun' | 'failed' | 'refused'
  actor: string
  sub: string | null
  client_id: string | null
  flow: string | null
  refs: readonly string[]
  count: number
  data: Readonly<Record<string, unknown>>
  address?: string
  before?: Readonly<Record<string, unknown>>
  after?: Readonly<Record<string, unknown>>
  erased?: true
}

/** The newest rows of one type. None where there is no audit. */
export async function newestRows(
  c: OwnVisit,
  filter: Readonly<Record<string, string>>,
): Promise<readonly ShownRow[]> {
  const answer = await c.api({ method: 'GET', path: apiPath(c, 'audit'), query: filter })
  return problemOf(answer) === null ? (answer.body as { items: ShownRow[] }).items : []
}

/** What a type means, or the type itself. */
export function eventName({ text }: OwnVisit, type: string): string {
  return Object.hasOwn(EVENTS.event, type) ? text(`event.${type}` as OwnKey) : type
}

/** The meaning, with the type below. */
export function eventCell(c: OwnVisit, { audit_id, type }: Pick<ShownRow, 'audit_id' | 'type'>): Html {
  const { html } = c
  const name = eventName(c, type)
  return html`<span><a href="${pathOf(c, 'audit', audit_id)}">${name}</a>${name !== type && html`<br>${code(c, type)}`}</span>`
}

export const outcomePill = (c: OwnVisit, { outcome }: ShownRow): Html =>
  pill(c, c.text(`outcome.${outcome}`), outcome === 'done' ? 'good' : 'bad')

/** Who did it: a user, a client, a command on a machine, or a part of the server. */
export function actorOf(c: NamedVisit, actor: string): Html {
  const { html, text } = c
  if (actor.startsWith('sub:')) return userLink(c, actor.slice(4))
  if (actor.startsWith('cli:')) {
    const at = actor.lastIndexOf('@')
    const values = { user: actor.slice(4, at), host: actor.slice(at + 1) }
    return html`<span title="${actor}">${text('audit.command', values)}</span>`
  }
  return actor.startsWith('client:') ? clientLink(c, actor.slice(7)) : code(c, actor)
}

/** The user and the client that a row is about. */
export function subjectOf(c: NamedVisit, { sub, client_id }: Pick<ShownRow, 'sub' | 'client_id'>): HtmlValue {
  const { html } = c
  if (sub === null && client_id === null) return '–'
  return html`<span>${sub !== null && html`${userLink(c, sub)} `}${client_id !== null && clientLink(c, client_id)}</span>`
}

/** Under which name a row is explained: its flow, or the first of its references. */
export const explainedBy = ({ flow, refs }: ShownRow): string | null => flow ?? refs[0] ?? null

export const reasonOf = ({ data }: ShownRow): string | null =>
  typeof data.reason === 'string' ? data.reason : null

/** When the day of the request began, UTC. */
export const midnight = ({ now }: OwnVisit): string => String(now - (now % SECONDS_A_DAY))

const SECONDS_A_DAY = 86_400
