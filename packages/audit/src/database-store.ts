/** The audit in the tables of `@ostiary/storage-postgres`. */

import { type AuditRow, idAt } from './row.js'
import type { AuditFilter, AuditSeal, AuditStore } from './store.js'

type Param = string | number | boolean | null

interface Queries {
  query<T>(text: string, params?: readonly Param[]): Promise<T[]>
}

/** What the statements need of an executor of `@ostiary/storage-postgres`. */
export interface AuditDatabase extends Queries {
  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T>
}

const COLUMNS = `realm, audit_id, time, type, outcome, actor, sub, client_id, flow, refs, count, data, private, salt, private_hash,
  seal, place, hash`

/** Of a row that may still change. */
const CHANGING = [
  'time',
  'sub',
  'client_id',
  'outcome',
  'refs',
  'count',
  'data',
  'private',
  'salt',
  'private_hash',
]

const PUT = `
  insert into oidc_audit (${COLUMNS})
    select ${COLUMNS} from json_populate_recordset(null::oidc_audit, $1::text::json)
  on conflict (realm, audit_id) do update set ${CHANGING.map((name) => `${name} = excluded.${name}`).join(', ')}
    where oidc_audit.seal is null`

/** An executor does not parse arrays. */
const ROWS = `select ${COLUMNS.replace('refs', 'to_json(refs) as refs')} from oidc_audit where realm = $1`

/** The index is searched once for each realm that has such rows, and not once for each row. */
const OPEN = `
  with recursive open as (
    (select realm from oidc_audit where seal is null order by realm limit 1)
    union all
    select (select realm from oidc_audit where seal is null and realm > open.realm order by realm limit 1)
    from open where realm is not null
  )
  select realm from open where realm is not null`

/** As one text, which is read in a third of the time. */
const UNSEALED = `
  select coalesce(json_agg(due), '[]')::text as rows
  from (${ROWS} and seal is null and time < $2 order by audit_id limit $3) as due`

/** Only rows that are still as they were read: another server may complete a change meanwhile. */
const MARK = `
  with given as (
    select * from json_to_recordset($3::text::json) as places(
      audit_id text, place integer, hash text, outcome text, refs text[], count integer, data text, private_hash text)
  ), marked as (
    update oidc_audit a set seal = $2, place = given.place, hash = given.hash from given
    where a.realm = $1 and a.audit_id = given.audit_id and a.seal is null and a.outcome = given.outcome and a.refs = given.refs
      and a.count = given.count and a.data = given.data and a.private_hash is not distinct from given.private_hash
    returning 1
  )
  select count(*)::int as count from marked`

const ADD_SEAL = `
  insert into oidc_audit_seals (realm, number, last_time, jws, expired) values ($1, $2, $3, $4, false)
  on conflict do nothing returning 1`

const SEALS = `select realm, number, last_time, jws, expired from oidc_audit_seals where realm = $1`

const DUE = `
  select realm, number from oidc_audit_seals where not expired and last_time < $1 order by last_time limit $2`
const EXPIRE = `
  with marked as (update oidc_audit_seals set expired = true where realm = $1 and number = $2),
    gone as (delete from oidc_audit where realm = $1 and seal = $2 returning 1)
  select count(*)::int as count from gone`
/** Of a realm that is not served any more, whose rows nobody seals. */
const FORGET = `
  with gone as (
    delete from oidc_audit where ctid = any(array(
      select ctid from oidc_audit where seal is null and time < $1 limit 1000
    )) returning 1
  )
  select count(*)::int as count from gone`

const ERASE = `
  with erased as (
    update oidc_audit set private = null, salt = null
    where realm = $1 and salt is not null and sub = $2 returning 1
  )
  select count(*)::int as count from erased`

class NotSealed extends Error {}

/** A store in a database that has the tables of `@ostiary/storage-postgres`. */
export function databaseAuditStore(db: AuditDatabase): AuditStore {
  const count = async (text: string, params: readonly Param[]) => {
    const [row] = await db.query<{ count: number }>(text, params)
    return row?.count ?? 0
  }
  return {
    async put(rows) {
      if (rows.length > 0) await db.query(PUT, [JSON.stringify(rows)])
    },
    find: async (realm, audit_id) =>
      (await db.query<AuditRow>(`${ROWS} and audit_id = $2`, [realm, audit_id]))[0] ?? null,
    list(realm, { filter, before, limit }) {
      const { conditions, params } = conditionsOf(filter, before)
      // PostgreSQL takes a reference for frequent, and would read rows in the order of their ids until it has found enough.
      const order = filter.reference === undefined ? 'audit_id' : "(audit_id || '')"
      const text = `${[ROWS, ...conditions].join(' and ')} order by ${order} desc limit ${Math.floor(limit)}`
      return db.query<AuditRow>(text, [realm, ...params])
    },
    page: (realm, { after = '', until = '~', limit }) =>
      db.query<AuditRow>(`${ROWS} and audit_id > $2 and audit_id < $3 order by audit_id limit $4`, [
        realm,
        after,
        until,
        limit,
      ]),
    open: async () => (await db.query<{ realm: string }>(OPEN)).map(({ realm }) => realm),
    async unsealed(realm, before, limit) {
      const [due] = await db.query<{ rows: string }>(UNSEALED, [realm, before, limit])
      return JSON.parse(due?.rows ?? '[]')
    },
    seal: (seal, places) => addSeal(db, seal, places),
    seals: (realm, { after, limit }) =>
      db.query<AuditSeal>(`${SEALS} and number > $2 order by number limit $3`, [realm, after, limit]),
    lastSeal: async (realm) =>
      (await db.query<AuditSeal>(`${SEALS} order by number desc limit 1`, [realm]))[0] ?? null,
    rowsOf: (realm, seal) =>
      db.query<AuditRow>(`${ROWS} and seal = $2 order by place, audit_id`, [realm, seal]),
    async purge(before, limit) {
      let deleted = 0
      for (const { realm, number } of await db.query<AuditSeal>(DUE, [before, limit]))
        deleted += await count(EXPIRE, [realm, number])
      return deleted + (await count(FORGET, [before]))
    },
    erase: (realm, sub) => count(ERASE, [realm, sub]),
  }
}

async function addSeal(
  db: AuditDatabase,
  { realm, number, last_time, jws }: AuditSeal,
  places: Parameters<AuditStore['seal']>[1],
): Promise<boolean> {
  const marks = places.map(({ row, ...place }) => {
    const { outcome, refs, count, data, private_hash } = row
    return { ...place, outcome, refs, count, data, private_hash }
  })
  try {
    await db.transaction(async (tx) => {
      const added = await tx.query(ADD_SEAL, [realm, number, last_time, jws])
      if (added.length === 0) throw new NotSealed()
      const [marked] = await tx.query<{ count: number }>(MARK, [realm, number, JSON.stringify(marks)])
      if (marked?.count !== places.length) throw new NotSealed()
    })
    return true
  } catch (error) {
    if (error instanceof NotSealed) return false
    throw error
  }
}

/** The character after the dot: types are compared by bytes. */
const AFTER_DOT = '/'

function conditionsOf(filter: AuditFilter, before: string | undefined) {
  const conditions: string[] = []
  const params: Param[] = []
  const add = (condition: string, value: Param | undefined) => {
    if (value === undefined) return
    params.push(value)
    conditions.push(condition.replaceAll('?', `$${params.length + 1}`))
  }
  add('audit_id < ?', before)
  add('sub = ?', filter.sub)
  add('client_id = ?', filter.client_id)
  add('actor = ?', filter.actor)
  if (filter.type?.endsWith('.')) {
    add('type >= ?', filter.type)
    add('type < ?', `${filter.type.slice(0, -1)}${AFTER_DOT}`)
  } else add('type = ?', filter.type)
  add('flow = ?', filter.flow)
  add('refs @> array[?::text]', filter.reference)
  add('time >= ?', filter.since)
  // The id of a row is never of an earlier moment than the row: where there are few such rows, no others are read.
  add('audit_id >= ?', filter.since === undefined ? undefined : idAt(filter.since * 1000))
  add('time < ?', filter.until)
  return { conditions, params }
}
