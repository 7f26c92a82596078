import type { User, UserStore, Users } from '@ostiary/identity'
import { bucketByHash } from '../connection/buckets.js'
import { type Executor, type Param, type Queries, unlessTaken, won } from '../connection/executor.js'
import { type Database, findRow, hasKey, keyByHash, withRowFinder } from '../connection/row-finder.js'
import { columnList, insertOfPerson, OF_USER, USER } from './columns.js'

/** A deleted user is a row with only its `sub`. A username has at least one character, and no control character. */
export const IS_USER = `username <> ''`

export const FIND = findRow(`
  select ${columnList(USER)} from oidc_users
  where ${hasKey('sub')} and ${IS_USER}`)

/** Which user has the name. The buckets of the names are their own: a name says nothing about the `sub`. */
export const FIND_NAMED = findRow(`
  select sub from oidc_usernames where ${hasKey('username_key')}`)

/** Fails as a whole when another user has the name: the names have no `on conflict`. */
const CREATE = `
  with created as (${insertOfPerson('oidc_users', USER)} on conflict do nothing returning sub)
  insert into oidc_usernames (realm, bucket, username_key, sub) select $1, $4::smallint, $5, sub from created
  returning sub`

/** `$3` to `$6`: the user, its `updated_at` and its name as they were read, and the new record. */
const CHANGE = `
  update oidc_users set (${columnList(USER)}) =
    (select ${columnList(USER, 'next')} from json_populate_record(null::oidc_users, $6::text::json) as next)
  where ${OF_USER} and updated_at = $4 and username_key = $5 and ${IS_USER}
  returning sub`

/** Gives up the name that the user had, `$5` in the bucket `$7`, if the query `from` returns a row. */
const freeName = (from: string) => `
    delete from oidc_usernames
    where realm = $1 and bucket = $7 and username_key = $5 and sub = $3 and exists (select from ${from})`

/** `$8` and `$9`: the bucket and the new name. Fails as a whole when another user has it. */
const RENAME = `
  with renamed as (${CHANGE}), freed as (${freeName('renamed')})
  insert into oidc_usernames (realm, bucket, username_key, sub) select $1, $8::smallint, $9, sub from renamed
  returning sub`

const ofDeleted = (table: string) => `delete from ${table} where ${OF_USER} and exists (select from deleted)`

/** The record `$6` is that of a deleted user. */
const deletion = (more = '') => `
  with deleted as (${CHANGE}),
    factors as (${ofDeleted('oidc_factors')}),
    links as (${ofDeleted('oidc_links')}),
    tickets as (${ofDeleted('oidc_tickets')}),
    devices as (${ofDeleted('oidc_remembered_devices')})${more}
  select sub from deleted`
const DELETE = deletion(`, freed as (${freeName('deleted')})`)
const DELETE_BUT_NAME = deletion()

const page = (after: string) => `
  select ${columnList(USER)} from oidc_users where realm = $1 ${after} and ${IS_USER} order by sub limit $2`
const FIRST_PAGE = page('')
const NEXT_PAGE = page('and sub > $3')

/**
 * The record as it is stored: attributes, groups and terms are in the column of the claims, by names that no claim has. Columns of
 * their own would make the rows so wide that the planner, before the first analyze, expects few users and searches them by
 * any index that begins with the realm.
 */
export function storedUser({ attributes, groups, terms, claims, ...user }: User): UserRow {
  const hidden = {
    ...(attributes && { [ATTRIBUTES]: attributes }),
    ...(groups && { [GROUPS]: groups }),
    ...(terms && { [TERMS]: terms }),
  }
  return { ...user, claims: { ...claims, ...hidden } }
}

export const stored = (user: User): string => JSON.stringify(storedUser(user))

/** What stays of a deleted user: every other column is null, or as empty as it may be. */
export const deletedUserRow = (sub: string): UserRow => ({
  sub,
  username: '',
  username_key: '',
  password_hash: null,
  claims: {},
  created_at: 0,
  updated_at: 0,
  disabled_at: 0,
  credential_version: null,
  second_step: null,
})

const ATTRIBUTES = '$attributes'
const GROUPS = '$groups'
/** A release that does not know it keeps it when it changes a user, and ends it when it deletes one. */
const TERMS = '$terms'

export function userOf(row: UserRow): User {
  const { [ATTRIBUTES]: attributes = null, [GROUPS]: groups = null, [TERMS]: terms, ...claims } = row.claims
  const { credential_version, second_step } = row
  return {
    ...row,
    claims,
    attributes,
    groups,
    credential_version: credential_version ?? 0,
    second_step: second_step ?? false,
    ...(terms && { terms }),
  }
}

type OtherColumns = 'attributes' | 'groups' | 'terms' | 'claims' | 'credential_version' | 'second_step'

export interface UserRow extends Omit<User, OtherColumns> {
  claims: User['claims'] & {
    [ATTRIBUTES]?: User['attributes']
    [GROUPS]?: User['groups']
    [TERMS]?: NonNullable<User['terms']>
  }
  /** Null in a row that a release without this column has stored: 0. */
  credential_version: number | null
  /** Null likewise: false. */
  second_step: boolean | null
}

/** The user store of `@ostiary/identity` alone. For a database that has the other records too, take `postgresStores`. */
export function postgresUsers(executor: Executor): Users {
  const db = withRowFinder(executor)
  return (realm) => userStore(db, realm)
}

/** A deletion reads the name first. When the user is changed in between, it reads again. */
const DELETE_ATTEMPTS = 10

/** The user as it is stored before a change. */
type Version = Pick<UserRow, 'sub' | 'updated_at' | 'username_key'>

/** Replaces the record. False when the stored user is another version. */
export type UserChange = (before: Version, record: string) => Promise<boolean>

export const userChange =
  (db: Queries, realm: string): UserChange =>
  (before, record) =>
    won(db.query(CHANGE, changeParams(realm, before, record)))

/** Deletes the user and the user's factors, and leaves the name. The record is that of a deleted user. */
export const userDeletion =
  (db: Queries, realm: string): UserChange =>
  (before, record) =>
    won(db.query(DELETE_BUT_NAME, changeParams(realm, before, record)))

const changeParams = (realm: string, { sub, updated_at, username_key }: Version, record: string): Param[] => [
  realm,
  bucketByHash(sub),
  sub,
  updated_at,
  username_key,
  record,
]

/** Changes of a user together with its name. False when the stored user is another version than `before`. */
export interface NameChanges {
  /** Also false when another user has the new name. */
  rename(before: UserRow, user: User, record: string): Promise<boolean>
  /** @param record Of a deleted user. */
  remove(before: UserRow, record: string): Promise<boolean>
}

const inOneStatement = (db: Queries, realm: string): NameChanges => ({
  rename(before, { username_key }, record) {
    const buckets = [bucketByHash(before.username_key), bucketByHash(username_key)]
    return unlessTaken(db.query(RENAME, [...changeParams(realm, before, record), ...buckets, username_key]))
  },
  remove: (before, record) =>
    won(db.query(DELETE, [...changeParams(realm, before, record), bucketByHash(before.username_key)])),
})

export function userStore(
  db: Database,
  realm: string,
  { rename, remove }: NameChanges = inOneStatement(db, realm),
): UserStore {
  const change = userChange(db, realm)
  const read = (sub: string) => db.find<UserRow>(FIND, keyByHash(realm, sub))
  return {
    async find(sub) {
      const row = await read(sub)
      return row && userOf(row)
    },
    async findByUsername(username_key) {
      const named = await db.find<{ sub: string }>(FIND_NAMED, keyByHash(realm, username_key))
      // A name that no user has takes as long: it is looked up as a `sub` too.
      const row = await read(named?.sub ?? username_key)
      return named && row?.username_key === username_key ? userOf(row) : null
    },
    create(user) {
      const { sub, username_key } = user
      const name = [bucketByHash(username_key), username_key]
      return unlessTaken(db.query(CREATE, [realm, bucketByHash(sub), stored(user), ...name]))
    },
    /** Most changes keep the name: the other one is looked up only when nothing had the new name. */
    async update(user, seen) {
      const { sub, username_key } = user
      const record = stored(user)
      if (await change({ sub, updated_at: seen, username_key }, record)) return true
      const before = await read(sub)
      if (before === null || before.updated_at !== seen || before.username_key === username_key) return false
      return rename(before, user, record)
    },
    async delete(sub) {
      for (let attempts = 0; attempts < DELETE_ATTEMPTS; attempts += 1) {
        const before = await read(sub)
        if (before === null) return false
        if (await remove(before, JSON.stringify(deletedUserRow(sub)))) return true
      }
      throw new Error(`The user was changed ${DELETE_ATTEMPTS} times while it was deleted`)
    },
    async list({ after, limit }) {
      const rows = await (after === undefined
        ? db.query<UserRow>(FIRST_PAGE, [realm, limit])
        : db.query<UserRow>(NEXT_PAGE, [realm, limit, after]))
      return rows.map(userOf)
    },
  }
}
