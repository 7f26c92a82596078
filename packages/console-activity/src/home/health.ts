/** Is it healthy: the server, its clock and keys, and what waits. */

import { apiPath, code, pill, problemOf, section, table, timeOf } from '@ostiary/console'
import type { Html, HtmlValue } from '@ostiary/identity'
import type { OwnVisit } from '../visit.js'
import { ageOf } from './age.js'

interface Waiting {
  waiting: number
  oldest_at: number | null
}

interface Status {
  version: string
  time: number
  ready: boolean
  parts: Readonly<Record<string, string>>
  storage: 'database' | 'memory'
  schema: number | null
  keys: readonly { kid: string; alg: string; created_at: number; signs_from: number }[]
  mails: Waiting | null
  deliveries: Waiting | null
}

/** Seconds after which what waits is late: a mail server that is busy takes a mail within a few attempts. */
const LATE_SECONDS = 600

/** False where the administrator may read nothing of it. */
export async function healthSection(c: OwnVisit): Promise<Html | false> {
  const rows = c.may('realms', 'read') ? await serverRows(c) : await mailRows(c)
  if (rows === null) return false
  const { text } = c
  const columns = [text('health.part'), text('health.state'), text('row.more')]
  return section(c, text('health.title'), table(c, { label: text('health.title'), columns, rows }))
}

type Row = readonly HtmlValue[]

async function serverRows(c: OwnVisit): Promise<Row[] | null> {
  const answer = await c.api({ method: 'GET', path: apiPath(c, 'status') })
  if (problemOf(answer) !== null) return null
  const { html, text } = c
  const status = answer.body as Status
  const { time, keys, mails, deliveries } = status
  return [
    serverRow(c, status),
    [
      text('health.clock'),
      '–',
      html`<span>${timeOf(c, time)}<br><small>${text('health.clock_why')}</small></span>`,
    ],
    [text('health.keys'), '–', html`<span>${keys.map((key) => keyOf(c, key))}</span>`],
    ...(mails === null ? [] : [waitingRow(c, text('health.mails'), mails)]),
    ...(deliveries === null ? [] : [waitingRow(c, text('health.deliveries'), deliveries)]),
  ]
}

function serverRow(c: OwnVisit, { version, ready, parts, storage, schema }: Status): Row {
  const { html, text } = c
  const faults = Object.entries(parts).filter(([, state]) => state !== 'ok')
  const named = faults.map(([name, state]) => `${name} (${state})`).join(', ')
  const records =
    storage === 'database' ? text('health.database', { schema: schema ?? 0 }) : text('health.memory')
  return [
    text('health.server'),
    ready ? pill(c, text('health.ok'), 'good') : pill(c, text('health.down'), 'bad'),
    html`<span>${text('health.version', { version })}, ${records}${named !== '' && html`<br>${text('health.not_ok', { parts: named })}`}</span>`,
  ]
}

function keyOf(c: OwnVisit, { kid, alg, created_at, signs_from }: Status['keys'][number]): Html {
  const { html, text } = c
  const when =
    signs_from > c.now
      ? html`${text('health.key_signs')} ${timeOf(c, signs_from)}`
      : html`${text('health.key_made')} ${ageOf(c, created_at)}`
  return html`<span title="${kid}">${code(c, alg)} ${when}</span><br>`
}

function waitingRow(c: OwnVisit, name: string, { waiting, oldest_at }: Waiting): Row {
  const { html, text } = c
  if (waiting === 0 || oldest_at === null)
    return [name, pill(c, text('health.ok'), 'good'), text('health.none_waits')]
  const is_late = c.now - oldest_at > LATE_SECONDS
  const state = is_late ? pill(c, text('health.late'), 'bad') : pill(c, text('health.waits'))
  return [
    name,
    state,
    html`<span>${text('health.waiting', { count: waiting })} ${ageOf(c, oldest_at)}</span>`,
  ]
}

interface WaitingMail {
  created_at: number
  attempts: number
}

/** For a role that does not read the state of the server. */
async function mailRows(c: OwnVisit): Promise<Row[] | null> {
  if (!c.may('users', 'read')) return null
  const answer = await c.api({ method: 'GET', path: apiPath(c, 'mail'), query: { limit: '200' } })
  if (problemOf(answer) !== null) return null
  const { html, text } = c
  const { items } = answer.body as { items: readonly WaitingMail[] }
  const created = items.map(({ created_at }) => created_at)
  const oldest_at = created.length === 0 ? null : Math.min(...created)
  const [name, state, detail] = waitingRow(c, text('health.mails'), { waiting: items.length, oldest_at })
  const tried = items.filter(({ attempts }) => attempts > 0).length
  const more = tried > 0 && html`<br><small>${text('health.refused_mails', { count: tried })}</small>`
  return [[name, state, html`<span>${detail}${more}</span>`]]
}
