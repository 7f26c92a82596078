import type { User, Users } from '@ostiary/identity'
import { type Executor, first, type Queries, won } from '../connection/executor.js'
import { columnList, insertRecord, USER } from './columns.js'

const FIND = `select ${columnList(USER)} from oidc_users where realm = $1 and sub = $2`

const FIND_BY_USERNAME = `select ${columnList(USER)} from oidc_users where realm = $1 and username_key = $2`

const CREATE = `${insertRecord('oidc_users', USER)} on conflict do nothing returning sub`

const UPDATE = `
  update oidc_users set (${columnList(USER)}) =
    (select ${columnList(USER, 'next')} from json_populate_record(null::oidc_users, $4::text::json) as next)
  where realm = $1 and sub = $2 and updated_at = $3
  returning sub`

const page = (after: string) => `
  select ${columnList(USER)} from oidc_users where realm = $1 ${after} order by sub limit $2`
const FIRST_PAGE = page('')
const NEXT_PAGE = page('and sub > $3')

/** The user store of `@ostiary/identity`, in the same database. */
export function postgresUsers(executor: Executor): Users {
  return (realm) => ({
    find: (sub) => first(executor.query<User>(FIND, [realm, sub])),
    findByUsername: (username_key) => first(executor.query<User>(FIND_BY_USERNAME, [realm, username_key])),
    create: (user) => won(executor.query(CREATE, [realm, JSON.stringify(user)])),
    update: (user, seen) => update(executor, { realm, user, seen }),
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
