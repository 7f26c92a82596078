/** The operations of the admin API on what a realm has beside accounts. */

import { CLIENT_USERS } from './client-users.js'
import { KEYS } from './keys.js'
import { type MailSources, mailOperations } from './mail.js'
import type { RealmOperation } from './operation.js'
import { type StatusSources, statusOperations } from './status.js'

/** Where the operations read. */
export type RealmSources = StatusSources & MailSources

/** For the option `operations` of `createAdmin`: keys, the users of a client, the state of the server, and mails. */
export const realmOperations = (sources: RealmSources): RealmOperation[] => [
  ...KEYS,
  ...CLIENT_USERS,
  ...statusOperations(sources),
  ...mailOperations(sources),
]
