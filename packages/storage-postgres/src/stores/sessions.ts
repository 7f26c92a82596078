import { bucketByTag, type Session, type SessionStore } from '@ostiary/core'
import { bucketByHash } from '../connection/buckets.js'
import { first, type Param, won } from '../connection/executor.js'
import { type Database, findRow, keyByTag } from '../connection/row-finder.js'
import { columnList, insertOfPerson, PLACE, SESSION } from './columns.js'

/** @param more What the statement returns. Absent: nothing. */
export const createSession = (more = 'select') => `
  with created as (${insertOfPerson('oidc_sessions', SESSION)}
  ), browser as (
    insert into oidc_session_browsers (realm, bucket, sid, user_agent)
      select $1, $2::smallint, record->>'sid', record->>'user_agent' from cast($3::text as json) as record
      where record->>'user_agent' is not null
  ), clients as (
    insert into oidc_session_clients (realm, bucket, sid, client_id)
      select $1, $2::smallint, record->>'sid', json_array_elements_text(record->'client_ids')
      from cast($3::text as json) as record
  )
  ${more}`
const CREATE = createSession()

export const createParams = (realm: string, session: Session): Param[] => [
  realm,
  bucketByTag(session.sid),
  JSON.stringify(session),
]

/** The realm and the bucket of a session, as a statement has them. */
interface Place {
  realm: string
  bucket: string
}

/** The browser of the session with this id. */
const browser = ({ realm, bucket }: Place, sid: string) => `(
    select user_agent from oidc_session_browsers b
    where b.realm = ${realm} and b.bucket = ${bucket} and b.sid = ${sid}
  ) as user_agent`

const select = ({ realm, bucket }: Place, condition: string, column = '') => `
  select ${columnList(SESSION, 's')}, ${browser({ realm, bucket }, 's.sid')}, (
    select coalesce(json_agg(client_id order by client_id), '[]') from oidc_session_clients c
    where c.realm = ${realm} and c.bucket = ${bucket} and c.sid = s.sid
  ) as client_ids${column}
  from oidc_sessions s where ${condition}`
/** It may have a further column about the session `s`. */
export const findSession = (column = '') =>
  findRow(
    select(
      { realm: 'key.realm', bucket: 'key.bucket' },
      's.realm = key.realm and s.bucket = key.bucket and s.session_hash = key.id and s.ends_until is null',
      column,
    ),
  )
const FIND = findSession()
const DUE = 'coalesce(s.ends_until, s.expires_at)'
/** Of one bucket, `$2`. */
export const EXPIRED_IN_BUCKET = select(
  { realm: '$1', bucket: '$2' },
  `s.realm = $1 and s.bucket = $2 and ${DUE} <= $3 order by ${DUE} limit $4`,
)
const EXPIRED = select(
  { realm: '$1', bucket: 's.bucket' },
  `s.realm = $1 and ${DUE} <= $2 order by ${DUE} limit $3`,
)
const LIST = select(
  { realm: '$1', bucket: '$2' },
  's.realm = $1 and s.bucket = $2 and s.sub = $3 and s.ends_until is null',
)

/** The session, if it has not ended. `for key share` lets others take it at the same time, and makes `oidc_end_session` wait. */
export const lockedSession = (sid: string) =>
  `select sid from oidc_sessions
    where ${PLACE} and sid = ${sid} and ends_until is null for key share`

/** Adds a client to the sessions that the query `from` returns. */
export const joinSession = (client_id: string, from: string) => `
    insert into oidc_session_clients (realm, bucket, sid, client_id) select $1, $2::smallint, sid, ${client_id} from ${from}
    on conflict do nothing`

const JOIN = `
  with session as materialized (${lockedSession('$3')}), joined as (${joinSession('$4', 'session')}
  )
  select sid from session`

const TOUCH = `
  update oidc_sessions set last_used_at = $4
  where ${PLACE} and sid = $3 and ends_until is null and coalesce(last_used_at, 0) < $4`

const RAISE = `
  update oidc_sessions set session_hash = $5, auth_time = $6, amr = cast($7::text as jsonb), acr = $8, raised_at = $9
  where ${PLACE} and sid = $3 and session_hash = $4 and ends_until is null returning sid`

const END = `
  select ${SESSION.map((column) => `(session).${column}`).join(', ')}, client_ids, ${browser({ realm: '$1', bucket: '$2' }, '$3')}
  from (select $2::smallint as bucket) as place, oidc_end_session($1, place.bucket, $3, $4, $5)
  where bucket = $2`

const FORGET = `
  with forgotten as (
    delete from oidc_sessions where ${PLACE} and sid = $3 and ends_until is not null returning sid
  ), browser as (
    delete from oidc_session_browsers where ${PLACE} and sid = $3 and exists (select from forgotten)
  )
  delete from oidc_session_clients where ${PLACE} and sid in (select sid from forgotten)`

export function sessionStore(db: Database, realm: string): SessionStore {
  const keyOf = (sid: string) => [realm, bucketByTag(sid), sid]
  return {
    async create(session) {
      await db.query(CREATE, createParams(realm, session))
    },
    find: (session_hash) => db.find<Session>(FIND, keyByTag(realm, session_hash)),
    join: (sid, client_id) => won(db.query(JOIN, [...keyOf(sid), client_id])),
    async touch(sid, used_at) {
      await db.query(TOUCH, [...keyOf(sid), used_at])
    },
    async raise(sid, { session_hash, auth_time, amr, acr, raised_at }, expected_session_hash) {
      const raised = [session_hash, auth_time, JSON.stringify(amr), acr, raised_at]
      return won(db.query(RAISE, [...keyOf(sid), expected_session_hash, ...raised]))
    },
    end: (sid, now, lease) => first(db.query<Session>(END, [...keyOf(sid), now, lease])),
    async forget(sid) {
      await db.query(FORGET, keyOf(sid))
    },
    expired: (now, limit) => db.query<Session>(EXPIRED, [realm, now, limit]),
    list: (sub) => db.query<Session>(LIST, [realm, bucketByHash(sub), sub]),
  }
}
