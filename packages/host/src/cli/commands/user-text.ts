/** A user for output, without the hash of the password. */

import type { RealmOperations } from '@ostiary/admin-client/remote'
import type { User } from '@ostiary/identity'
import { configuredPath } from '../accounts.js'
import { iso, printable, record } from '../output.js'
import { configured } from '../workspace.js'

export const userJson = ({
  password_hash,
  username_key: _,
  ...user
}: User): Omit<User, 'password_hash' | 'username_key'> & { has_password: boolean } => ({
  ...user,
  has_password: password_hash !== null,
})

export const userStateOf = ({ disabled_at }: User): string =>
  disabled_at === null ? 'enabled' : `disabled ${iso(disabled_at)}`

export function userText(user: User): string {
  const { sub, username, password_hash, claims, attributes, groups, terms, created_at, updated_at } = user
  const values = (of: object, kind = '') =>
    Object.entries(of).map(([name, value]): [string, string] => [
      kind + printable(name),
      printable(typeof value === 'string' ? value : JSON.stringify(value)),
    ])
  const accepted = terms && `${terms.version} at ${iso(terms.accepted_at)}`
  return record([
    ['username', printable(username)],
    ['sub', sub],
    ['state', userStateOf(user)],
    ['password', password_hash === null ? 'none' : 'set'],
    ...values(claims),
    ...values(attributes ?? {}, 'attribute '),
    ...values(groups?.length ? { groups: groups.join(', ') } : {}),
    ...values(accepted ? { 'accepted terms': accepted } : {}),
    ['created_at', iso(created_at)],
    ['updated_at', iso(updated_at)],
  ])
}

/** The next start or reload would undo the change. @param advice What to do in the configuration. */
export function refuseConfiguredUser(realm: RealmOperations, user: User, advice: string): void {
  const path = configuredPath(realm, user)
  if (path !== null) throw configured(printable(user.username), path, advice)
}
