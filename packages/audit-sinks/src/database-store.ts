/** The cursors in the table of `@ostiary/storage-postgres`. */

import { type CursorKey, ENTERED_SECONDS, type Pending, type SinkCursor, type SinkStore } from './cursor.js'

type Param = string | number | boolean | null

/** What the statements need of an executor of `@ostiary/storage-postgres`. */
export interface SinkDatabase {
  query<T>(text: string, params?: readonly Param[]): Promise<T[]>
}

const CURSOR = 'realm, sink, seal, place, attempts, failing_since, error, dropped, next_attempt_at'

/** Realms of one look. */
const MAX_DUE = 100
/** Rows that a list counts. */
export const MAX_COUNTED = 10_000

const ENTER = `
  insert into oidc_audit_sinks (realm, sink, seal, place, attempts, dropped, next_attempt_at, leased_until, seen_at)
    select realm, $1, 1 + coalesce((select max(number) from oidc_audit_seals s where s.realm = r.realm), 0), 0, 0, 0, 0, 0, $3
    from json_array_elements_text($2::text::json) as r(realm)
  on conflict (realm, sink) do update set seen_at = excluded.seen_at`

const DUE = `
  select realm from oidc_audit_sinks c
  where sink = $1 and next_attempt_at <= $2 and leased_until <= $2 and seen_at > $2 - ${2 * ENTERED_SECONDS}
    and exists (select 1 from oidc_audit_seals s where s.realm = c.realm and s.number >= c.seal)
  order by next_attempt_at, realm limit ${MAX_DUE}`

const CLAIM = `
  update oidc_audit_sinks set lease = $3, leased_until = $4
  where realm = $1 and sink = $2 and next_attempt_at <= $5 and leased_until <= $5
  returning ${CURSOR}`

const SAVE = `
  update oidc_audit_sinks set seal = $4, place = $5, attempts = $6, failing_since = $7, error = $8, dropped = $9,
    next_attempt_at = $10, leased_until = $11
  where realm = $1 and sink = $2 and lease = $3 returning 1`

const FORGET = `
  delete from oidc_audit_sinks
  where seen_at < $2 and sink not in (select json_array_elements_text($1::text::json))`

/** A store in a database that has the tables of `@ostiary/storage-postgres`. */
export function databaseSinkStore(db: SinkDatabase): SinkStore {
  return {
    async enter(sink, realms, now) {
      await db.query(ENTER, [sink, JSON.stringify(realms), now])
    },
    due: async (sink, now) => (await db.query<{ realm: string }>(DUE, [sink, now])).map(({ realm }) => realm),
    async claim({ realm, sink }, { lease, leased_until }, now) {
      const [cursor] = await db.query<SinkCursor>(CLAIM, [realm, sink, lease, leased_until, now])
      return cursor ?? null
    },
    async save({ realm, sink, ...cursor }, { lease, leased_until }) {
      const { seal, place, attempts, failing_since, error, dropped, next_attempt_at } = cursor
      const values = [seal, place, attempts, failing_since, error, dropped, next_attempt_at, leased_until]
      return (await db.query(SAVE, [realm, sink, lease, ...values])).length > 0
    },
    async forget(sinks, unused_since) {
      await db.query(FORGET, [JSON.stringify(sinks), unused_since])
    },
  }
}

/** The cursors of a sink, of one realm or of all. */
export function cursorsOf(
  db: SinkDatabase,
  { sink, realm }: { sink: string; realm: string | null },
): Promise<SinkCursor[]> {
  const text = `select ${CURSOR} from oidc_audit_sinks where sink = $1 and ($2::text is null or realm = $2) order by realm`
  return db.query<SinkCursor>(text, [sink, realm])
}

const PENDING = `
  select count(*)::int as pending, min(time) as oldest from (
    select time from oidc_audit
    where realm = $1 and (seal > $2 or (seal = $2 and place > $3)) and ($4::text is null or type in (select json_array_elements_text($4::text::json)))
    union all
    select time from oidc_audit
    where realm = $1 and seal is null and ($4::text is null or type in (select json_array_elements_text($4::text::json)))
    limit ${MAX_COUNTED + 1}
  ) as rows`

/** What a sink has not got yet, with the rows that have no seal yet. @param types Null: all. */
export async function pendingOf(
  db: SinkDatabase,
  { realm, seal, place }: Pick<SinkCursor, keyof CursorKey | 'seal' | 'place'>,
  types: readonly string[] | null,
): Promise<Pending> {
  const params = [realm, seal, place, types === null ? null : JSON.stringify(types)]
  const [found] = await db.query<Pending>(PENDING, params)
  return found ?? { pending: 0, oldest: null }
}
