/** createAccountDeletion: one of the option `extensions` of createIdentity, and the work that deletes what is due. */

import type { Extension, Tickets, User, Users, UserVisit } from '@ostiary/identity'
import { type DueDeletions, dueDeletions } from './due.js'
import type { DeletionFunctions, Place } from './place.js'
import { askFirst, DELETE_PATH, DELETES, deletePage, postedDeletion, section } from './request.js'
import { dueAt, findRequest } from './request-record.js'
import { interrupted, postedRestore, RESTORE_PATH, restorePage } from './restore.js'

/** The options of `createAccountDeletion`. */
export interface AccountDeletionOptions {
  /** The ids of the realms whose users delete their own account. */
  realms: readonly string[]
  users: Users
  tickets: Tickets
  /** Users whose account the operator keeps, such as those that a configuration names: they do not delete it. */
  keeps?: (realm: string, user: User) => boolean
  functions: DeletionFunctions
  /** Told of a mail about a request that could not be queued: the request counts all the same. */
  failed?: (error: unknown) => void
  /** Epoch seconds; the clock of the machine when absent. */
  now?: () => number
}

/** What it adds to the pages, and the work in the background. */
export interface AccountDeletion {
  extension: Extension
  due: DueDeletions
}

/**
 * Lets users delete their own account: at once they are signed out everywhere, and no application has access; after seven days the account is
 * deleted. Until then, a sign-in leads to a page that offers to keep it, and no further.
 *
 * @example
 * ```ts
 * import { type AccountDeletionOptions, createAccountDeletion } from '@ostiary/account-deletion'
 * import { personTag } from '@ostiary/core'
 * import { setDisabled } from '@ostiary/identity'
 *
 * export const deletion = (stores: Pick<AccountDeletionOptions, 'users' | 'tickets'>) =>
 *   createAccountDeletion({ ...stores, realms: ['default'], functions: { personTag, setDisabled } })
 * // createIdentity gets the extension. Every minute, in one process: deletion.due.start(provider, …).
 * ```
 */
export function createAccountDeletion(options: AccountDeletionOptions): AccountDeletion {
  const { realms, users, tickets, keeps: isKept = () => false, functions, failed = () => {} } = options
  const { now = () => Math.floor(Date.now() / 1000) } = options
  const place: Place = { users, tickets, isKept, failed, ...functions }
  const isOn = (realm: string) => realms.includes(realm)
  const mayDelete = ({ realm, user }: UserVisit) => isOn(realm.id) && !isKept(realm.id, user)
  const extension: Extension = {
    name: 'account_deletion',
    methods: (realm, path) =>
      isOn(realm) && (path === DELETE_PATH || path === RESTORE_PATH) ? ['GET', 'HEAD', 'POST'] : [],
    async answer(c) {
      const is_post = c.request.method === 'POST'
      if (c.path === RESTORE_PATH) return (is_post ? postedRestore : restorePage)(c, place)
      const account = await c.account()
      if (account === null || !mayDelete(account)) return c.redirect(`${c.realm.urls.issuer}/account`)
      return is_post ? postedDeletion(c, account, place) : deletePage(c, account)
    },
    section: async (c) => (mayDelete(c) ? section(c) : null),
    act: async (c, action, params) => (action === DELETES && mayDelete(c) ? askFirst(c, params) : null),
    interrupt: async (c) => (isOn(c.realm.id) ? interrupted(c, place) : null),
    async deletesAt(realm, user) {
      if (!isOn(realm) || isKept(realm, user)) return null
      const request = await findRequest(tickets(realm), user.sub, now())
      return request && dueAt(request)
    },
  }
  return { extension, due: dueDeletions(place, realms) }
}
