/** The commands of `ostiary` over the admin API of a server. */

export { withoutControls } from './clean.js'
export type { CommandErrors } from './errors.js'
export { inServerRealm, type RemoteLine, type SendRequest } from './open.js'
export type * from './realm.js'
