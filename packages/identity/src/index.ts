export { addressIn, isAddress, usernameKey } from '@ostiary/core/common'
export type { LanguageCatalog, LanguagesOptions, Message } from '@ostiary/messages'
export type {
  AccountAction,
  AccountRefusal,
  CodeLimitName,
  IdentityEvent,
  IdentityEventSink,
  LoginLimitName,
  LoginRefusal,
} from './events.js'
export {
  countWithoutPasskey,
  type FactorSecrets,
  type FactorSurvey,
  type ResealReport,
  resealFactors,
  type SealedApps,
  surveyFactors,
  type WithoutPasskey,
} from './factors/factor-walk.js'
export { type FactorImportOptions, factorImport, totpImport } from './factors/imported-factor.js'
export { passkeysFor } from './factors/passkey/passkey.js'
export { codesLeft } from './factors/recovery/codes.js'
export {
  type FactorRemoval,
  type FactorRemovalFault,
  type FactorRemovalRequest,
  type FactorSelection,
  planFactorRemoval,
  removeFactors,
} from './factors/remove-factors.js'
export { createIdentity, type Identity } from './identity.js'
export type { IdentityOptions } from './identity-options.js'
export { inviteUser } from './invite.js'
export { type Html, type HtmlValue, html } from './pages/html.js'
export { languagesFaults } from './pages/languages.js'
export { type Theme, ThemeError, type ThemeLink, type ThemeVariables } from './pages/theme.js'
export { type IdentitySettings, type SignInSettings, settingsFaults, signInSettings } from './settings.js'
export type { AbuseCheck, AbuseQuestion } from './sign-in/abuse.js'
export type { RefusedPage, RefusedView } from './sign-in/extensions/refused.js'
export type {
  AccountVisit,
  Arrival,
  Extension,
  ExtensionSection,
  Interruption,
  LinkedAccount,
  LinksSignIn,
  Mails,
  OtherNames,
  PageVisit,
  SignInVisit,
  UserVisit,
  Visit,
} from './sign-in/extensions/seam.js'
export { DEFAULT_LOGIN_LIMITS, type LoginLimits } from './sign-in/login-limits.js'
export {
  type LoginThrottle,
  type LoginThrottleOptions,
  type LoginThrottleSelection,
  type LoginThrottles,
  loginThrottles,
} from './sign-in/login-throttles.js'
export type { MailRecovery, RecoveryVisit } from './sign-in/regain/seam.js'
export type { SignUp, SignUpVisit } from './sign-in/sign-up/seam.js'
export { type Attributes, attributesFault, groupsFault } from './users/attributes.js'
export { passwordRulesFault } from './users/check-password.js'
export type {
  ExpectedVersion,
  Factor,
  FactorChange,
  FactorKind,
  FactorStore,
  Factors,
} from './users/factor-store.js'
export { BusyError, type PasswordCaller, type PasswordLoad } from './users/gate.js'
export { importedUserFault } from './users/imported-user.js'
export type { Invitation } from './users/invitation.js'
export type { Link, LinkStore, Links } from './users/link-store.js'
export {
  createUser,
  type ManageUsersOptions,
  setDisabled,
  setPassword,
  type UpsertOptions,
  type UpsertResult,
  UserError,
  type UserInput,
  upsertUser,
  userConflict,
} from './users/manage-users.js'
export { memoryUserStores, memoryUsers } from './users/memory-users.js'
export type {
  NewPassword,
  PasswordRealm,
  PasswordRules,
} from './users/password-rules.js'
export {
  argon2Passwords,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  type PasswordHasher,
  PasswordModuleError,
  type QueuedPasswordHasher,
} from './users/passwords.js'
export {
  createRecoveryLink,
  type RecoveryLink,
  type RecoveryLinkOptions,
} from './users/recovery-link.js'
export type {
  RememberedDevice,
  RememberedDeviceStore,
  RememberedDevices,
} from './users/remembered-device-store.js'
export type { Ticket, TicketPurpose, TicketStore, Tickets } from './users/ticket-store.js'
export { type UserChanges, type UserUpdate, updateUser } from './users/update-user.js'
export type { User, UserStore, Users } from './users/user-store.js'
