/** Why a client_assertion had expired: by what was seen of the client in a day, its clock is slow, or it keeps one. */

import type { AuditRow, AuditStore } from '@ostiary/audit'
import { dataOf } from '@ostiary/audit/rows'

/** Rows that are looked through: of the client, and of all clients. */
const MAX_ROWS = 200
/** Seconds before and after the refusal. */
const DAY = 86_400
/** Seconds that two requests may differ in, by the network and by a restart: less of a difference shows nothing. */
const NEAR = 10

/** An assertion that had expired. */
interface Arrival {
  exp: number
  /** Epoch seconds at which it came. */
  time: number
}

/** The first one that a row counts, and the last. */
function arrivalsOf(row: AuditRow): Arrival[] {
  const { exp, last_exp, last_time } = dataOf(row)
  const both = [
    { exp, time: row.time },
    { exp: last_exp, time: last_time },
  ]
  // A later exp was refused because it is no number: that says nothing of a clock.
  return (both as Arrival[]).filter(({ exp, time }) => exp <= time)
}

const lateness = ({ exp, time }: Arrival): number => time - exp

const spread = (numbers: readonly number[]): number => Math.max(...numbers) - Math.min(...numbers)

/** How long after its first use an assertion of the row was sent again; 0 where that may be another one of the same second. */
function keptFor(mine: readonly Arrival[], seen: readonly Arrival[]): number {
  const spans = mine.map(({ exp }) => spread(seen.filter((each) => each.exp === exp).map(({ time }) => time)))
  const longest = Math.max(...spans)
  return longest > NEAR ? longest : 0
}

/** As late each time, over a while: those that two processes keep come as late as one another at one moment alone. */
const isSteady = (seen: readonly Arrival[]): boolean =>
  spread(seen.map(({ time }) => time)) > NEAR && spread(seen.map(lateness)) <= NEAR

/** Whether one of other clients came as late. How late a kept one comes says nothing of a clock. */
const isSeenElsewhere = (others: readonly AuditRow[], late: number): boolean =>
  others.some((row) => {
    const of_row = arrivalsOf(row)
    const of_client = others.filter(({ client_id }) => client_id === row.client_id).flatMap(arrivalsOf)
    const is_near = of_row.some((each) => Math.abs(lateness(each) - late) <= NEAR)
    return is_near && keptFor(of_row, of_client) === 0
  })

/** Where the rows of the client are. */
export interface ExpiredPlace {
  store: Pick<AuditStore, 'list'>
  realm: { id: string }
}

/** What to do about an assertion that had expired; null for another refusal, and where the row has no exp. */
export async function expiredAdvice(
  refused: AuditRow,
  { store, realm }: ExpiredPlace,
): Promise<string | null> {
  const { type, client_id, time } = refused
  const mine = client_id === null ? [] : arrivalsOf(refused)
  const newest = mine.at(-1)
  if (newest === undefined) return null
  const filter = { type, since: time - DAY, until: time + DAY + 1 }
  const [own, all] = await Promise.all([
    store.list(realm.id, { filter: { ...filter, client_id: `${client_id}` }, limit: MAX_ROWS }),
    store.list(realm.id, { filter, limit: MAX_ROWS }),
  ])
  const seen = [...mine, ...own.flatMap(arrivalsOf)]
  const kept = keptFor(mine, seen)
  if (kept > 0)
    return `The client sends one client_assertion again and again, here after ${kept} seconds: its developer has to make a new one for each request.`
  const late = lateness(newest)
  const others = all.filter((row) => row.client_id !== client_id)
  return told(late, { is_steady: isSteady(seen), is_common: isSeenElsewhere(others, late) })
}

function told(late: number, { is_steady, is_common }: { is_steady: boolean; is_common: boolean }): string {
  const common = is_common
    ? ' One of another client came as late: compare the clock of this server first.'
    : ''
  if (!is_steady)
    return `The client_assertion came ${late} seconds after its exp.${common} That alone does not say why: the clock of the client is slow, or it sends an assertion that it has kept. Let it try again after a minute, and explain that request.`
  const each = `Each client_assertion of the client comes ${late} seconds after its exp`
  return is_common
    ? `${each}.${common} If that is right, the clocks of both clients are slow.`
    : `${each}, a new one each time: the clock of the client is slow, by ${late} seconds and the time for which it makes an assertion valid. Who runs the client sets the clock; if it is right, the developer corrects the exp.`
}
