/** How far deliveries are. */

import type { OpenedRealm, SinkFinding, SinkResult, TextTools } from './command-types.js'
import type { SinkCursor } from './cursor.js'
import { cursorsOf, MAX_COUNTED, pendingOf, type SinkDatabase } from './database-store.js'
import { hintOf } from './hints.js'
import { typesOf } from './row-types.js'
import { type SinkSettings, sinkId } from './settings.js'

/** A sink in one realm, as the command shows it as JSON. */
interface SinkStatus {
  url: string
  format: SinkSettings['format']
  /** Null for more than 10,000. */
  pending: number | null
  /** Epoch seconds; null when nothing waits. */
  oldest: number | null
  attempts: number
  next_attempt_at: number | null
  failing_since: number | null
  error: string | null
  hint: string | null
  dropped: number
}

/** A query may have a secret of the receiver. */
function shownUrl(text: string): string {
  const { origin, pathname, search } = new URL(text)
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}

export async function listSinks(
  { realm, records, config }: OpenedRealm,
  { table }: TextTools,
): Promise<SinkResult> {
  const found = records === undefined ? [] : (config.audit_sinks ?? [])
  const sinks: SinkStatus[] = []
  for (const sink of found) if (records) sinks.push(await statusOf(records, sink, realm.id))
  if (sinks.length === 0) return { text: 'No sinks', json: { sinks }, note: 'audit.sinks names them' }
  const notes = sinks.flatMap(({ url, hint }) => (hint === null ? [] : [`${url}: ${hint}`]))
  return {
    text: table([
      ['URL', 'FORMAT', 'PENDING', 'OLDEST', 'ERROR', 'ATTEMPTS', 'NEXT', 'DROPPED'],
      ...sinks.map(lineOf),
    ]),
    json: { sinks },
    ...(notes.length > 0 && { note: notes.join('\n') }),
  }
}

async function statusOf(db: SinkDatabase, sink: SinkSettings, realm: string): Promise<SinkStatus> {
  const { url, format } = sink
  const [cursor] = await cursorsOf(db, { sink: sinkId(url), realm })
  const { pending, oldest } = cursor ? await pendingOf(db, cursor, typesOf(sink.events)) : NOTHING
  const { attempts, failing_since, error, dropped, next_attempt_at } = cursor ?? NEW
  return {
    url: shownUrl(url),
    format,
    pending: pending > MAX_COUNTED ? null : pending,
    oldest,
    attempts,
    next_attempt_at: error === null ? null : next_attempt_at,
    failing_since,
    error,
    hint: error === null ? null : hintOf(error),
    dropped,
  }
}

const NOTHING = { pending: 0, oldest: null }
/** Of a sink that no server has yet. */
const NEW = { attempts: 0, failing_since: null, error: null, dropped: 0, next_attempt_at: 0 }

function lineOf({
  url,
  format,
  pending,
  oldest,
  error,
  attempts,
  next_attempt_at,
  dropped,
}: SinkStatus): string[] {
  const numbers = [pending === null ? `${MAX_COUNTED}+` : String(pending), iso(oldest)]
  return [url, format, ...numbers, error ?? '-', String(attempts), iso(next_attempt_at), String(dropped)]
}

const iso = (seconds: number | null): string =>
  seconds === null ? '-' : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** One finding a sink: the realm that fails, with the newest error. */
export async function findingsOf(db: SinkDatabase, sinks: readonly SinkSettings[]): Promise<SinkFinding[]> {
  const findings: SinkFinding[] = []
  for (const { url } of sinks)
    findings.push(findingOf(shownUrl(url), await cursorsOf(db, { sink: sinkId(url), realm: null })))
  return findings
}

function findingOf(url: string, cursors: readonly SinkCursor[]): SinkFinding {
  const dropped = cursors.reduce((sum, cursor) => sum + cursor.dropped, 0)
  const given_up = dropped === 0 ? '' : `; rows given up until now: ${dropped}`
  const failing = cursors.filter(({ error }) => error !== null)
  const newest = failing.sort((a, b) => b.next_attempt_at - a.next_attempt_at)[0]
  if (newest === undefined)
    return { check: 'sinks', status: 'ok', message: `${url} gets the rows of the audit${given_up}` }
  const { realm, error, failing_since, attempts } = newest
  const reason = error ?? ''
  return {
    check: 'sinks',
    status: 'fault',
    message: `${url} has taken no row of the realm ${realm} since ${iso(failing_since)}, in ${attempts} attempts: ${reason}${given_up}`,
    advice: hintOf(reason),
  }
}
