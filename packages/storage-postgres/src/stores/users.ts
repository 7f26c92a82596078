import type { User, Users } from '@ostiary/identity'
import { type Executor, first, type Queries, won } from '../connection/executor.js'
import { columnList, insertRecord, USER } from './columns.js'

/** A deleted user is a row with only its `sub`. A username has at least one character, and no control character. */
const IS_USER = `username <> ''`

const FIND = `select ${columnList(USER)} from oidc_users where realm = $1 and sub = $2 and ${IS_USER}`

const FIND_BY_USERNAME = `select ${columnList(USER)} from oidc_users where realm = $1 and username_key = $2 and ${IS_USER}`

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

/** The user store of `@ostiary/identity`, in the same database. */
export function postgresUsers(executor: Executor): Users {
  return (realm) => ({
    find: (sub) => first(executor.query<User>(FIND, [realm, sub])),
    findByUsername: (username_key) => first(executor.query<User>(FIND_BY_USERNAME, [realm, username_key])),
    create: (user) => won(executor.query(CREATE, [realm, JSON.stringify(user)])),
    update: (user, seen) => update(executor, { realm, user, seen }),
    delete: (sub) => won(executor.query(DELETE, [realm, sub])),
    list: ({ after, limit }) =>
      after === undefined
        ? executor.query<User>(FIRST_PAGE, [realm, limit])
        : executor.query<User>(NEXT_PAGE, [realm, limit, after]),
  })
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
    return await won(db.query(UPDATE, [realm, user.sub, seen, JSON.stringify(user)]))
  } catch (error) {
    // Another user has the username.
    if ((error as { code?: unknown } | null)?.code === UNIQUE_VIOLATION) return false
    throw error
  }
}
