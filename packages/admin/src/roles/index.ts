/** Roles for commands: what reads, gives and takes them. */

export { roleBeyond } from './climbing.js'
export { endFormerLinks } from './former-links.js'
export { openRoleStore } from './open.js'
export { checkedRole, grantRole, RoleError, type RolePlace, revokeRole } from './role-changes.js'
export { ALL_REALMS, type Holder, holderOf, idsOf, type RoleRow, type RoleStore } from './role-store.js'
