/** The same operations as over the admin API, in the storage of the machine. */

export { localAccounts } from './accounts.js'
export type { LocalRealm, LocalTools } from './place.js'
