import {
  type AuthorizationCode,
  bucketByTag,
  type Grant,
  type GrantSelection,
  type GrantStore,
  type GrantsOfUser,
  MAX_SPENT_REFRESH_TOKENS,
  type RefreshToken,
  type RefreshTokenRotation,
} from '@ostiary/core'
import { bucketByHash } from '../connection/buckets.js'
import { countOf, type Param, won } from '../connection/executor.js'
import { type Database, findRow, hasKey, keyByTag } from '../connection/row-finder.js'
import {
  CODE,
  columnList,
  GRANT,
  insertOfPerson,
  jsonObject,
  OF_USER,
  PLACE,
  REFRESH_TOKEN,
} from './columns.js'
import { inBucket, sweepStatements, sweepStep } from './sweep.js'

/** The statements that find a grant may have a further column about the grant `g`. */
export const findGrant = (column = '') =>
  findRow(
    `select ${columnList(GRANT)}${column} from oidc_grants g
    where ${hasKey('grant_id')}`,
  )
const FIND = findGrant()

const INSERT_CODE = `
  insert into oidc_authorization_codes (realm, bucket, ${columnList(CODE)})
    select $1, $2::smallint, ${columnList(CODE)} from json_populate_record(null::oidc_authorization_codes, $4::text::json)`

const CREATE = `
  with granted as (${insertOfPerson('oidc_grants', GRANT)})${INSERT_CODE}`

/** Two parts of a `with` clause, which store the grant `$3` and its code `$4` under a condition. */
export const insertGrant = (condition: string) => `granted as (
    ${insertOfPerson('oidc_grants', GRANT)} ${condition}
  ), coded as (${INSERT_CODE} ${condition}
  )`

/**
 * The grant of a row of `table`, of the same person. Not a plain join: until a table has statistics (a new database, before the first
 * analyze), the planner assumes that it is tiny, and would read all grants of the realm. `limit 1` prevents that.
 */
const grantOf = (table: string) =>
  `lateral (
    select ${columnList(GRANT)} from oidc_grants
    where realm = key.realm and bucket = key.bucket and grant_id = ${table}.grant_id limit 1
  ) g`

export const findCode = (column = '') =>
  findRow(`
  select ${jsonObject(CODE, 'c')} as code, ${jsonObject(GRANT, 'g')} as "grant"${column}
  from oidc_authorization_codes c, ${grantOf('c')}
  where c.realm = key.realm and c.bucket = key.bucket and c.code_hash = key.id`)
const FIND_CODE = findCode()

export const findRefreshToken = (column = '') =>
  findRow(`
  select ${jsonObject(REFRESH_TOKEN, 't')} as refresh_token, ${jsonObject(GRANT, 'g')} as "grant"${column}
  from oidc_refresh_tokens t, ${grantOf('t')}
  where t.realm = key.realm and t.bucket = key.bucket and t.token_hash = key.id`)
const FIND_REFRESH_TOKEN = findRefreshToken()

/** Locks the grant of a code or refresh token (`$3`) that is not spent. */
const lockedGrant = (table: string, hash: string, mark: string) => `locked_grant as materialized (
    select grant_id from oidc_grants where ${PLACE} and grant_id = (
      select grant_id from ${table} where ${PLACE} and ${hash} = $3 and ${mark} is null
    )
    for update
  )`

interface SpendTarget {
  table: string
  /** Column of the code's or token's hash. */
  hash: string
  /** Column that is null until the code or token is spent. */
  mark: string
  /** Further columns of the grant that are set. */
  also?: string
  /** Further parts of the `with` clause. */
  more?: string
}

/**
 * Marks a code or refresh token spent for one caller only, and stores the next refresh token. The grant is locked
 * before anything is written, as in `purge`, so that the two cannot deadlock, and no token is stored for a grant that is
 * being deleted.
 */
const spend = ({ table, hash, mark, also = '', more = '' }: SpendTarget) => `
  with ${lockedGrant(table, hash, mark)}, spent as (
    update ${table} set ${mark} = $4
    where ${PLACE} and ${hash} = $3 and ${mark} is null and exists (select from locked_grant)
    returning grant_id
  ), renewed as (
    update oidc_grants set expires_at = $5${also}
    where ${PLACE} and grant_id = (select grant_id from spent)
  ), stored as (
    insert into oidc_refresh_tokens (realm, bucket, ${columnList(REFRESH_TOKEN)})
      select $1, $2::smallint, ${columnList(REFRESH_TOKEN, 'next')}
      from spent, json_populate_recordset(null::oidc_refresh_tokens, $6::text::json) as next
  )${more}
  select grant_id from spent`
const REDEEM_CODE = spend({
  table: 'oidc_authorization_codes',
  hash: 'code_hash',
  mark: 'redeemed_at',
  also: ', client_auth = $7, jkt = $8',
})

const SPENT = `from oidc_refresh_tokens
      where ${PLACE} and grant_id = (select grant_id from spent) and spent_at is not null`

/**
 * Deletes one expired token or, at the limit, the oldest one. Each rotation spends one, so their number is bounded. The spent tokens of
 * the grant are read once, and so is the clock: outside of a subquery, it would be read for each of them. The token to delete is found
 * by its hash: until the table has statistics, any other condition would read all of it.
 */
const DELETE_OLD_TOKENS = `, old as (
    select count(*), min(token_hash) filter (where expires_at <= (select least($4::bigint, oidc_clock()))) as expired
    ${SPENT}
  ), deleted as (
    delete from oidc_refresh_tokens where ${PLACE} and token_hash = (
      select coalesce(expired, (
        select token_hash ${SPENT} and count >= ${MAX_SPENT_REFRESH_TOKENS} order by created_at limit 1
      )) from old
    )
  )`
const ROTATE_REFRESH_TOKEN = spend({
  table: 'oidc_refresh_tokens',
  hash: 'token_hash',
  mark: 'spent_at',
  more: DELETE_OLD_TOKENS,
})

/**
 * Renews a refresh token that stays the same. The grant is locked first, as in `spend`: the token may be spent, or deleted with
 * its grant, at the same moment.
 */
const RENEW_REFRESH_TOKEN = `
  with ${lockedGrant('oidc_refresh_tokens', 'token_hash', 'spent_at')}, extended as (
    update oidc_refresh_tokens set expires_at = $4
    where ${PLACE} and token_hash = $3 and spent_at is null and exists (select from locked_grant)
    returning grant_id
  ), renewed as (
    update oidc_grants set expires_at = $5
    where ${PLACE} and grant_id = (select grant_id from extended)
  )
  select grant_id from extended`

/** Every revocation locks grants in the order of their ids, so that two of them cannot deadlock. */
const revoke = (condition: string) => `
  with revoked as (
    update oidc_grants set revoked_at = $3
    where ${PLACE} and revoked_at is null and grant_id = any(array(
      select grant_id from oidc_grants
      where ${PLACE} and ${condition} and revoked_at is null
      order by grant_id for update
    ))
    returning grant_id
  )
  select count(*)::int as count from revoked`
const REVOKE = revoke('grant_id = $4')
const REVOKE_OF_SESSION = revoke('sid = $4 and not offline')

/** A statement, the bucket of its rows, and its parameters from `$4` on. */
interface Revocation {
  text: string
  bucket: number
  params: Param[]
}

function revocation(selection: GrantSelection): Revocation {
  if ('sub' in selection) return revocationOfUser(selection)
  const [text, id] = 'sid' in selection ? [REVOKE_OF_SESSION, selection.sid] : [REVOKE, selection.grant_id]
  return { text, bucket: bucketByTag(id), params: [id] }
}

function revocationOfUser({ sub, client_id, resource, offline }: GrantsOfUser): Revocation {
  const params: Param[] = [sub]
  const conditions = ['sub = $4']
  if (client_id !== undefined) conditions.push(`client_id = $${params.push(client_id) + 3}`)
  if (resource === null) conditions.push('resource is null')
  else if (resource !== undefined) conditions.push(`resource = $${params.push(resource) + 3}`)
  if (offline === false) conditions.push('not offline')
  return { text: revoke(conditions.join(' and ')), bucket: bucketByHash(sub), params }
}

export const REVOKE_OF_CLIENT = sweepStatements({
  table: 'oidc_grants',
  index_condition: 'revoked_at is null',
  change: (bucket) => `
    update oidc_grants set revoked_at = $5
    where realm = $1 ${inBucket(bucket)} and revoked_at is null and grant_id = any(array(
      select grant_id from oidc_grants
      where realm = $1 and sub = any(array(select sub from users)) and client_id = $2 and revoked_at is null
        and created_at < $6 ${inBucket(bucket)}
      order by grant_id for update
    ))
    returning grant_id`,
  parameters: 2,
})

const LIST = `
  select ${columnList(GRANT)} from oidc_grants
  where ${OF_USER} and revoked_at is null and expires_at > $4`

export function grantStore(db: Database, realm: string): GrantStore {
  const paramsOf = (hash: string, next: RefreshTokenRotation, now: number) => [
    realm,
    bucketByTag(hash),
    hash,
    now,
    next.grant_expires_at,
    JSON.stringify(next.refresh_token ? [next.refresh_token] : []),
  ]
  return {
    async create(grant, code) {
      await db.query(CREATE, [
        realm,
        bucketByTag(grant.grant_id),
        JSON.stringify(grant),
        JSON.stringify(code),
      ])
    },
    find: (grant_id) => db.find<Grant>(FIND, keyByTag(realm, grant_id)),
    findCode: (code_hash) =>
      db.find<{ code: AuthorizationCode; grant: Grant }>(FIND_CODE, keyByTag(realm, code_hash)),
    redeemCode: (code_hash, next, now) =>
      won(db.query(REDEEM_CODE, [...paramsOf(code_hash, next, now), next.client_auth, next.jkt])),
    findRefreshToken: (token_hash) =>
      db.find<{ refresh_token: RefreshToken; grant: Grant }>(FIND_REFRESH_TOKEN, keyByTag(realm, token_hash)),
    rotateRefreshToken: (token_hash, next, now) =>
      won(db.query(ROTATE_REFRESH_TOKEN, paramsOf(token_hash, next, now))),
    renewRefreshToken: (token_hash, { expires_at, grant_expires_at }) =>
      won(
        db.query(RENEW_REFRESH_TOKEN, [
          realm,
          bucketByTag(token_hash),
          token_hash,
          expires_at,
          grant_expires_at,
        ]),
      ),
    revoke(selection, now) {
      const { text, bucket, params } = revocation(selection)
      return countOf(db.query(text, [realm, bucket, now, ...params]))
    },
    revokeOfClient: (sweep, now) =>
      sweepStep(db, { text: REVOKE_OF_CLIENT.of_all, realm, more: [now, sweep.before] }, sweep),
    list: (sub, now) => db.query<Grant>(LIST, [realm, bucketByHash(sub), sub, now]),
  }
}
