/** The stores of a database with records and users: a grant, a session or a passkey is read together with its user. */

import type {
  AuthorizationCode,
  Grant,
  GrantStore,
  RecordOfUser,
  RefreshToken,
  Session,
  SessionStore,
} from '@ostiary/core'
import type { Factor, Factors, UserStore, Users } from '@ostiary/identity'
import { type Database, keyByTag, type RowSearch } from '../connection/row-finder.js'
import { jsonObject, USER } from './columns.js'
import { type FactorChanges, factorStore, findFactor } from './factors.js'
import { findCode, findGrant, findRefreshToken, grantStore } from './grants.js'
import { createParams, createSession, findSession, sessionStore } from './sessions.js'
import { IS_USER, type UserRow, userOf, userStore } from './users.js'

/** The user of a row of `table`, of the same bucket; null when no user has its `sub`. */
const userColumn = (table: string) => `, (
    select ${jsonObject(USER, 'u')} from oidc_users u
    where u.realm = key.realm and u.bucket = key.bucket and u.sub = ${table}.sub and ${IS_USER}
  ) as "user"`

const FIND_GRANT = findGrant(userColumn('g'))
const FIND_CODE = findCode(userColumn('g'))
const FIND_REFRESH_TOKEN = findRefreshToken(userColumn('g'))
const FIND_SESSION = findSession(userColumn('s'))
const FIND_FACTOR = findFactor(userColumn('f'))

/**
 * Stores the session, and returns its user, `$4`. The lock makes a change of the user wait until the session is stored, or this statement
 * wait for the change: so the user is as it was when the session began to exist, for `Login.still_valid`.
 */
const CREATE_SESSION = createSession(`
  select ${jsonObject(USER, 'u')} as "user" from oidc_users u
  where u.realm = $1 and u.bucket = $2 and u.sub = $4 and ${IS_USER} for share`)

export interface StoresWithUsers {
  grants: (realm: string) => GrantStore
  sessions: (realm: string) => SessionStore
  users: Users
  factors: Factors
}

/** The stores of a realm. */
interface StoresOf {
  users: (db: Database, realm: string) => UserStore
  factors: (db: Database, realm: string) => FactorChanges
}

export function storesWithUsers(
  db: Database,
  of: StoresOf = { users: userStore, factors: factorStore },
): StoresWithUsers {
  const read = usersRead()
  return {
    grants: (realm) => grantsWithUsers(rowReader(db, realm, read), grantStore(db, realm)),
    sessions: (realm) => ({
      ...sessionStore(db, realm),
      find: (session_hash) => rowReader(db, realm, read)<Session>(FIND_SESSION, session_hash, itself),
      async create(session) {
        const params = [...createParams(realm, session), session.sub]
        const [found] = await db.query<{ user: UserRow }>(CREATE_SESSION, params)
        read.keep(session, { realm, user: found?.user ?? null })
      },
    }),
    factors: (realm) => ({
      ...of.factors(db, realm),
      find: (factor_id) => rowReader(db, realm, read)<Factor>(FIND_FACTOR, factor_id, itself),
    }),
    users(realm) {
      const store = of.users(db, realm)
      return {
        ...store,
        async find(sub, record) {
          const row = await read.of(record, { realm, sub })
          if (row === undefined) return store.find(sub)
          return row && userOf(row)
        },
      }
    },
  }
}

function grantsWithUsers(readRow: RowReader, store: GrantStore): GrantStore {
  const grantOf = ({ grant }: { grant: Grant }) => grant
  return {
    ...store,
    find: (grant_id) => readRow<Grant>(FIND_GRANT, grant_id, itself),
    findCode: (code_hash) =>
      readRow<{ code: AuthorizationCode; grant: Grant }>(FIND_CODE, code_hash, grantOf),
    findRefreshToken: (token_hash) =>
      readRow<{ refresh_token: RefreshToken; grant: Grant }>(FIND_REFRESH_TOKEN, token_hash, grantOf),
  }
}

const itself = <T>(record: T): T => record

/** Reads a row by its id or hash, and keeps its user for the record in it. */
type RowReader = <Row extends object>(
  search: RowSearch,
  id: string,
  recordIn: (row: Row) => UserOwned,
) => Promise<Row | null>

function rowReader(db: Database, realm: string, read: UsersRead): RowReader {
  return async <Row extends object>(search: RowSearch, id: string, recordIn: (row: Row) => UserOwned) => {
    const found = await db.find<Row & { user: UserRow | null }>(search, keyByTag(realm, id))
    if (found === null) return null
    const { user, ...rest } = found
    const row = rest as unknown as Row
    read.keep(recordIn(row), { realm, user })
    return row
  }
}

type UserOwned = Grant | Session | Factor

/** The user of a record; null when no user has its `sub`. */
interface UserRead {
  realm: string
  user: UserRow | null
}

interface UsersRead {
  keep(record: UserOwned, read: UserRead): void
  /** Undefined when the record was not read with a user of this realm, or names another user. */
  of(
    record: RecordOfUser | Factor | undefined,
    owner: { realm: string; sub: string },
  ): Promise<UserRow | null | undefined>
}

/** A user is kept only as long as the object that the statement has returned, and not for later requests. */
function usersRead(): UsersRead {
  const users = new WeakMap<UserOwned, UserRead>()
  return {
    keep: (record, read) => void users.set(record, read),
    async of(record, { realm, sub }) {
      const known = await record
      if (!known || known.sub !== sub) return undefined
      const read = users.get(known)
      return read?.realm === realm ? read.user : undefined
    },
  }
}
