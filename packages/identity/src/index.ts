export type {
  AccountAction,
  AccountRefusal,
  IdentityEvent,
  IdentityEventSink,
  LoginRefusal,
} from './events.js'
export { BusyError, type Turn } from './gate.js'
export { createIdentity, type Identity, type IdentityOptions } from './identity.js'
export { DEFAULT_LIMITS, type Limits, type LoginLimit } from './login-limits.js'
export {
  type LoginThrottle,
  type LoginThrottleOptions,
  type LoginThrottleSelection,
  type LoginThrottles,
  loginThrottles,
} from './login-throttles.js'
export {
  createUser,
  type ManageOptions,
  setDisabled,
  setPassword,
  type UpsertedUser,
  UserError,
  type UserInput,
  upsertUser,
} from './manage-users.js'
export { memoryUsers } from './memory-users.js'
export { argon2Passwords, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type Passwords } from './passwords.js'
export { type Theme, ThemeError, type Variables } from './theme.js'
export { type User, type UserStore, type Users, usernameKey } from './users.js'
