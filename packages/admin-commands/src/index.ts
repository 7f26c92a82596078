/** The commands about the audit and administrators. What they do is loaded when one of them runs. */

import type { OpenedRealm as AuditedRealm } from './audit/command-types.js'
import type { OpenedRealm as RealmOfRoles } from './roles/command-types.js'

export { auditCommands, type CommandTools } from './audit/commands.js'
export type { InServer } from './in-server.js'
export { exportUserCommand } from './person/commands.js'
export { type AdminTools, adminCommands } from './roles/commands.js'

/** A realm that a command line names, and that is opened on this machine. */
export type OpenedRealm = AuditedRealm & RealmOfRoles
