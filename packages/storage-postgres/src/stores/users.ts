import type { User, Users } from '@ostiary/identity'
import { type Executor, first, type Queries, won } from '../connection/executor.js'
import { insertRecord, listed, USER } from './columns.js'

const FIND = `select ${listed(USER)} from oidc_users where realm = $1 and sub = $2`

const FIND_BY_USERNAME = `select ${listed(USER)} from oidc_users where realm = $1 and username_key = $2`

const CREATE = `${insertRecord('oidc_users', USER)} on conflict do nothing returning sub`

const UPDATE = `
  update oidc_users set (${listed(USER)}) =
    (select ${listed(USER, 'next')} from json_populate_record(null::oidc_users, $4::text::json) as next)
  where realm = $1 and sub = $2 and updated_at = $3
  returning sub`

const page = (after: string) => `
  select ${listed(USER)} from oidc_users where realm = $1 ${after} order by sub limit $2`
const FIRST_PAGE = page('')
const NEXT_PAGE = page('and sub > $3')

/** The accounts of `@ostiary/identity`, in the same database. */
export function postgresUsers(executor: Executor): Users {
  return (realm) => ({
    find: (sub) => first(executor.query<User>(FIND, [realm, sub])),
    findByUsername: (username_key) => first(executor.query<User>(FIND_BY_USERNAME, [realm, username_key])),
    create: (user) => won(executor.query(CREATE, [realm, JSON.stringify(user)])),
    update: (user, seen) => update(executor, [realm, user, seen]),
    list: ({ after, limit }) =>
      after === undefined
        ? executor.query<User>(FIRST_PAGE, [realm, limit])
        : executor.query<User>(NEXT_PAGE, [realm, limit, after]),
  })
}

const UNIQUE_VIOLATION = '23505'

async function update(db: Queries, [realm, user, seen]: [string, User, number]): Promise<boolean> {
  try {
    return await won(db.query(UPDATE, [realm, user.sub, seen, JSON.stringify(user)]))
  } catch (error) {
    // The username belongs to somebody else.
    if ((error as { code?: unknown } | null)?.code === UNIQUE_VIOLATION) return false
    throw error
  }
}
