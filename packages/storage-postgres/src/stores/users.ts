import type { User, UserStore, Users } from '@ostiary/identity'
import { type Executor, type Queries, won } from '../connection/executor.js'
import { type Database, findRow, withRowFinder } from '../connection/row-finder.js'
import { columnList, insertRecord, USER } from './columns.js'

/** A deleted user is a row with only its `sub`. A username has at least one character, and no control character. */
export const IS_USER = `username <> ''`

const FIND = findRow(
  `select ${columnList(USER)} from oidc_users where realm = key.realm and sub = key.id and ${IS_USER}`,
)

const FIND_BY_USERNAME = findRow(`
  select ${columnList(USER)} from oidc_users where realm = key.realm and username_key = key.id and ${IS_USER}`)

const CREATE = `${insertRecord('oidc_users', USER)} on conflict do nothing returning sub`

const UPDATE = `
  update oidc_users set (${columnList(USER)}) =
    (select ${columnList(USER, 'next')} from json_populate_record(null::oidc_users, $4::text::json) as next)
  where realm = $1 and sub = $2 and updated_at = $3 and ${IS_USER}
  returning sub`

/** Every other column is null again, or as empty as it may be. */
const DELETE = `
  update oidc_users set
    (${columnList(USER)}) = (
      select ${columnList(USER, 'empty')}
      from json_populate_record(null::oidc_users, json_build_object(
        'sub', $2::text, 'username', '', 'username_key', chr(1) || $2::text, 'claims', '{}'::json,
        'created_at', 0, 'updated_at', 0, 'disabled_at', 0
      )) as empty
    )
  where realm = $1 and sub = $2 and ${IS_USER}
  returning sub`

const page = (after: string) => `
  select ${columnList(USER)} from oidc_users where realm = $1 ${after} and ${IS_USER} order by sub limit $2`
const FIRST_PAGE = page('')
const NEXT_PAGE = page('and sub > $3')

/**
 * The record as it is stored: attributes and groups are in the column of the claims, by names that no claim has. Columns of
 * their own would make the rows so wide that the planner, before the first analyze, expects few users and searches them by
 * any index that begins with the realm.
 */
export function storedUser({ attributes, groups, claims, ...user }: User): UserRow {
  const hidden = { ...(attributes && { [ATTRIBUTES]: attributes }), ...(groups && { [GROUPS]: groups }) }
  return { ...user, claims: { ...claims, ...hidden } }
}

const stored = (user: User): string => JSON.stringify(storedUser(user))

/** What stays of a deleted user. */
export const deletedUserRow = (sub: string): UserRow => ({
  sub,
  username: '',
  username_key: `\u0001${sub}`,
  password_hash: null,
  claims: {},
  created_at: 0,
  updated_at: 0,
  disabled_at: 0,
})

const ATTRIBUTES = '$attributes'
const GROUPS = '$groups'

export function userOf(row: UserRow): User {
  const { [ATTRIBUTES]: attributes = null, [GROUPS]: groups = null, ...claims } = row.claims
  return { ...row, claims, attributes, groups }
}

export interface UserRow extends Omit<User, 'attributes' | 'groups' | 'claims'> {
  claims: User['claims'] & { [ATTRIBUTES]?: User['attributes']; [GROUPS]?: User['groups'] }
}

async function found(rows: Promise<UserRow | null>): Promise<User | null> {
  const row = await rows
  return row && userOf(row)
}

/** The user store of `@ostiary/identity` alone. For a database that has the other records too, take `postgresStores`. */
export function postgresUsers(executor: Executor): Users {
  const db = withRowFinder(executor)
  return (realm) => userStore(db, realm)
}

export function userStore(db: Database, realm: string): UserStore {
  return {
    find: (sub) => found(db.find<UserRow>(FIND, realm, sub)),
    findByUsername: (username_key) => found(db.find<UserRow>(FIND_BY_USERNAME, realm, username_key)),
    create: (user) => won(db.query(CREATE, [realm, stored(user)])),
    update: (user, seen) => update(db, { realm, user, seen }),
    delete: (sub) => won(db.query(DELETE, [realm, sub])),
    async list({ after, limit }) {
      const rows = await (after === undefined
        ? db.query<UserRow>(FIRST_PAGE, [realm, limit])
        : db.query<UserRow>(NEXT_PAGE, [realm, limit, after]))
      return rows.map(userOf)
    },
  }
}

const UNIQUE_VIOLATION = '23505'

interface UserUpdate {
  realm: string
  user: User
  /** The `updated_at` of the record that the caller has read. */
  seen: number
}

async function update(db: Queries, { realm, user, seen }: UserUpdate): Promise<boolean> {
  try {
    return await won(db.query(UPDATE, [realm, user.sub, seen, stored(user)]))
  } catch (error) {
    // Another user has the username.
    if ((error as { code?: unknown } | null)?.code === UNIQUE_VIOLATION) return false
    throw error
  }
}
