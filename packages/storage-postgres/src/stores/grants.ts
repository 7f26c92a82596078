import {
  type AuthorizationCode,
  type Grant,
  type GrantSelection,
  type GrantStore,
  type GrantsOfPerson,
  type RefreshToken,
  type RefreshTokenRotation,
  SPENT_REFRESH_TOKENS,
} from '@ostiary/core'
import { countOf, first, type Param, type Queries, won } from '../connection/executor.js'
import { asJson, CODE, GRANT, insertRecord, listed, REFRESH_TOKEN } from './columns.js'

const FIND = `select ${listed(GRANT)} from oidc_grants where realm = $1 and grant_id = $2`

const CREATE = `
  with granted as (${insertRecord('oidc_grants', GRANT)})
  insert into oidc_authorization_codes (realm, ${listed(CODE)})
    select $1, ${listed(CODE)} from json_populate_record(null::oidc_authorization_codes, $3::text::json)`

/**
 * The grant of a row `of`. No plain join: as long as a table has no statistics (a new database, until it is analyzed),
 * the planner takes it for tiny, and would read all grants of the realm instead of the one. `limit` keeps it from that.
 */
const itsGrant = (of: string) =>
  `lateral (select ${listed(GRANT)} from oidc_grants where realm = $1 and grant_id = ${of}.grant_id limit 1) g`

const FIND_CODE = `
  select ${asJson(CODE, 'c')} as code, ${asJson(GRANT, 'g')} as "grant"
  from oidc_authorization_codes c, ${itsGrant('c')}
  where c.realm = $1 and c.code_hash = $2`

const FIND_REFRESH_TOKEN = `
  select ${asJson(REFRESH_TOKEN, 't')} as refresh_token, ${asJson(GRANT, 'g')} as "grant"
  from oidc_refresh_tokens t, ${itsGrant('t')}
  where t.realm = $1 and t.token_hash = $2`

/**
 * Spends once, and leaves behind what follows. The grant is locked before anything is written: that is the order of
 * `purge` too, so they cannot wait for each other, and no token is stored for a grant that goes away just now.
 */
const spend = (table: string, hash: string, mark: string, after = '') => `
  with its as materialized (
    select grant_id from oidc_grants where realm = $1 and grant_id = (
      select grant_id from ${table} where realm = $1 and ${hash} = $2 and ${mark} is null
    )
    for update
  ), spent as (
    update ${table} set ${mark} = $3
    where realm = $1 and ${hash} = $2 and ${mark} is null and exists (select from its)
    returning grant_id
  ), renewed as (
    update oidc_grants set expires_at = $4
    where realm = $1 and grant_id = (select grant_id from spent)
  ), stored as (
    insert into oidc_refresh_tokens (realm, ${listed(REFRESH_TOKEN)})
      select $1, ${listed(REFRESH_TOKEN, 'next')}
      from spent, json_populate_recordset(null::oidc_refresh_tokens, $5::text::json) as next
  )${after}
  select grant_id from spent`
const REDEEM_CODE = spend('oidc_authorization_codes', 'code_hash', 'redeemed_at')

/** A spent token of the same grant, found by its hash: as long as a table has no statistics, any other way reads all of it. */
const forgetSpent = (which: string) => `
    delete from oidc_refresh_tokens where realm = $1 and token_hash = (
      select token_hash from oidc_refresh_tokens
      where realm = $1 and grant_id = (select grant_id from spent) and spent_at is not null ${which} limit 1
    )`

/** One that has expired, and the oldest of too many: each rotation spends one, so none pile up. */
const FORGET_SPENT = `, expired as (${forgetSpent('and expires_at <= $3 order by created_at')}
  ), surplus as (${forgetSpent(`order by created_at desc offset ${SPENT_REFRESH_TOKENS - 1}`)}
  )`
const ROTATE_REFRESH_TOKEN = spend('oidc_refresh_tokens', 'token_hash', 'spent_at', FORGET_SPENT)

/** Locked in one order whatever selects them, so that two revocations cannot wait for each other. */
const revoke = (which: string) => `
  with revoked as (
    update oidc_grants set revoked_at = $2
    where realm = $1 and revoked_at is null and grant_id = any(array(
      select grant_id from oidc_grants
      where realm = $1 and ${which} and revoked_at is null
      order by grant_id for update
    ))
    returning grant_id
  )
  select count(*)::int as count from revoked`
const REVOKE = revoke('grant_id = $3')
const REVOKE_OF_SESSION = revoke('sid = $3 and not offline')

function revocation(selection: GrantSelection): [text: string, params: Param[]] {
  if ('sid' in selection) return [REVOKE_OF_SESSION, [selection.sid]]
  if ('sub' in selection) return revocationOfPerson(selection)
  return [REVOKE, [selection.grant_id]]
}

function revocationOfPerson(person: GrantsOfPerson): [text: string, params: Param[]] {
  const { sub, client_id, resource, offline } = person
  const params: Param[] = [sub]
  const conditions = ['sub = $3']
  if (client_id !== undefined) conditions.push(`client_id = $${params.push(client_id) + 2}`)
  if (resource === null) conditions.push('resource is null')
  else if (resource !== undefined) conditions.push(`resource = $${params.push(resource) + 2}`)
  if (offline === false) conditions.push('not offline')
  return [revoke(conditions.join(' and ')), params]
}

const LIST = `
  select ${listed(GRANT)} from oidc_grants
  where realm = $1 and sub = $2 and revoked_at is null and expires_at > $3`

const rotatedTokens = ({ refresh_token }: RefreshTokenRotation) =>
  JSON.stringify(refresh_token ? [refresh_token] : [])

export function grantStore(db: Queries, realm: string): GrantStore {
  const spent = (text: string, hash: string) => (next: RefreshTokenRotation, now: number) =>
    won(db.query(text, [realm, hash, now, next.grant_expires_at, rotatedTokens(next)]))
  return {
    async create(grant, code) {
      await db.query(CREATE, [realm, JSON.stringify(grant), JSON.stringify(code)])
    },
    find: (grant_id) => first(db.query<Grant>(FIND, [realm, grant_id])),
    findCode: (code_hash) =>
      first(db.query<{ code: AuthorizationCode; grant: Grant }>(FIND_CODE, [realm, code_hash])),
    redeemCode: (code_hash, next, now) => spent(REDEEM_CODE, code_hash)(next, now),
    findRefreshToken: (token_hash) =>
      first(db.query<{ refresh_token: RefreshToken; grant: Grant }>(FIND_REFRESH_TOKEN, [realm, token_hash])),
    rotateRefreshToken: (token_hash, next, now) => spent(ROTATE_REFRESH_TOKEN, token_hash)(next, now),
    revoke(selection, now) {
      const [text, params] = revocation(selection)
      return countOf(db.query(text, [realm, now, ...params]))
    },
    list: (sub, now) => db.query<Grant>(LIST, [realm, sub, now]),
  }
}
