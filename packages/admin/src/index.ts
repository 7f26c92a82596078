export {
  type Admin,
  type AdminAudit,
  type AdminOptions,
  type AdminRequest,
  createAdmin,
} from './api/admin.js'
export type { ConfiguredEntries, PasswordSettings, UserFunctions } from './api/operation.js'
export type {
  AuditReader,
  OpenInvitation,
  OpenParts,
  PlanStores,
  QueryRunner,
  RealmParts,
  RealmThrottles,
  ShownUpstream,
  SignInAddresses,
  StoredRow,
  ThrottleSelection,
  UpstreamCheck,
  UpstreamReader,
  UserLinks,
  UserStores,
  WayFunctions,
} from './api/parts.js'
export { type PartFunctions, type PartsSources, realmParts } from './api/realm-parts.js'
export { ADMIN_SCOPES, type AdminConfig, adminResource, withAdminResource } from './resource.js'
export type { RoleDatabase } from './roles/database-store.js'
export { type CallerRights, type Decision, decide, type NeededRight } from './roles/decide.js'
export { type OpenedStorage, openRoleStore } from './roles/open.js'
export { type Access, AREAS, type Area, RIGHTS, ROLES, type Role } from './roles/rights.js'
export {
  grantRole,
  type RecordsChange,
  RoleError,
  type RoleFault,
  type RolePlace,
  revokeRole,
} from './roles/role-changes.js'
export type { Holder, RoleChange, RoleRow, RoleStore } from './roles/role-store.js'
export { ADMIN_PATH, type AdminSettings } from './settings.js'
