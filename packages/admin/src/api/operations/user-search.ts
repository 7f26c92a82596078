/** Lists of users: by sub, by username, by its beginning and by the address to sign in with, which an index finds; by group and time. */

import type { User } from '@ostiary/identity'
import { given } from '../given.js'
import type { Call } from '../operation.js'
import { existing, pageOfList } from '../page.js'
import type { QueryRunner } from '../parts.js'
import { type ProblemError, refusalOf } from '../problem.js'

/** What a list of users is asked for. */
export interface UserSearch {
  sub?: readonly string[] | undefined
  username?: string | undefined
  username_prefix?: string | undefined
  address?: string | undefined
  group?: string | undefined
  created_after?: number | undefined
  limit: number
  cursor?: string | undefined
  after?: string | undefined
}

interface FoundUsers {
  items: User[]
  next: string | null
}

/** The users of a search; null for one without a filter. @throws ProblemError 400 */
export async function searchUsers(call: Call, search: UserSearch): Promise<FoundUsers | null> {
  const { sub, username, username_prefix, address, group, created_after, ...page } = search
  const kept = given({ group, created_after })
  const [first, second] = Object.keys(given({ sub, username, username_prefix, address }))
  if (second !== undefined) throw refused(second, 'give one of sub, username, username_prefix and address')
  if (Object.keys(kept).length > 0) {
    if (first === undefined) return keptUsers(call, kept, page)
    throw refused(first, 'give it without group and created_after')
  }
  if (sub !== undefined) return { items: await existing(sub, call.users.find), next: null }
  if (username !== undefined) return oneOf(await named(call, username))
  if (address !== undefined) return oneOf(await withAddress(call, address))
  return username_prefix === undefined ? null : withPrefix(call, username_prefix, page)
}

const refused = (name: string, message: string): ProblemError =>
  refusalOf('invalid_request', `?${name}`, message)

const oneOf = (user: User | null): FoundUsers => ({ items: user === null ? [] : [user], next: null })

/** Null for a text that is no username, too. */
export async function named({ users, identity }: Call, username: string): Promise<User | null> {
  const key = identity.usernameKey(username)
  return key === null ? null : users.findByUsername(key)
}

export const NO_ADDRESSES =
  'identity.sign_in_with has no email: users of the realm do not sign in with an address'

async function withAddress(call: Call, address: string): Promise<User | null> {
  const { addresses } = await call.parts()
  if (addresses === null) throw refused('address', NO_ADDRESSES)
  return addresses.find(address)
}

/** No index has the groups, or the times. */
function keptUsers(
  call: Call,
  filter: Pick<UserSearch, 'group' | 'created_after'>,
  query: Pick<UserSearch, 'limit' | 'cursor' | 'after'>,
): Promise<FoundUsers> {
  const { group, created_after = -1 } = filter
  return pageOfList<User>(call, {
    list: 'users by group and time',
    filter,
    query,
    read: (page) => call.users.list(page),
    keeps: ({ created_at, groups }) =>
      created_at > created_after && (group === undefined || groups?.includes(group) === true),
    idOf: ({ sub }) => sub,
  })
}

interface Name {
  key: string
  sub: string
}

async function withPrefix(
  call: Call,
  text: string,
  query: Pick<UserSearch, 'limit' | 'cursor'>,
): Promise<FoundUsers> {
  const prefix = text && call.identity.usernameKey(text)
  if (prefix === null) return { items: [], next: null }
  const { records } = await call.parts()
  if (records === 'divided')
    throw refused('username_prefix', 'a divided database has no list of all names: give username')
  const { items, next } = await pageOfList<Name>(call, {
    list: 'users by name',
    query,
    filter: { prefix },
    read: (page) =>
      records === null ? inMemory(call, prefix, page) : inDatabase(call, { records, prefix }, page),
    idOf: ({ key }) => key,
  })
  const users = await Promise.all(items.map(({ sub }) => call.users.find(sub)))
  return {
    items: users.filter((user, place): user is User => user?.username_key === items[place]?.key),
    next,
  }
}

type Page = { after?: string; limit: number }

/** A range of the primary key, whose collation compares bytes: U+10FFFF is after every character of a name. */
const NAMES = `
  select username_key as key, sub from oidc_usernames
  where realm = $1 and username_key >= $2 and username_key < $3 and username_key > $4
  order by username_key limit $5`

const inDatabase = (
  { realm }: Call,
  { records, prefix }: { records: QueryRunner; prefix: string },
  { after = '', limit }: Page,
): Promise<Name[]> => records.query<Name>(NAMES, [realm, prefix, `${prefix}\u{10ffff}`, after, limit])

const READ_AT_ONCE = 1000

/** Reads all users of this process. */
async function inMemory({ users }: Call, prefix: string, { after = '', limit }: Page): Promise<Name[]> {
  const found: Name[] = []
  for (let last = ''; ; ) {
    const read = await users.list({ ...(last !== '' && { after: last }), limit: READ_AT_ONCE })
    for (const { username_key: key, sub } of read)
      if (key.startsWith(prefix) && key > after) found.push({ key, sub })
    if (read.length < READ_AT_ONCE) break
    last = read.at(-1)?.sub ?? ''
  }
  return found.sort((one, other) => (one.key < other.key ? -1 : 1)).slice(0, limit)
}
