/** The commands of `ostiary` over the admin API of a server. */

export { orNull, type RealmApi } from './api.js'
export { withoutControls } from './clean.js'
export { ApiRefusal, type CommandErrors } from './errors.js'
export { listed } from './lists.js'
export { inServerRealm, type RemoteLine } from './open.js'
export type * from './realm.js'
export { refusedCommand } from './unavailable.js'
