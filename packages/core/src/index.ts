export type { AccessToken, ClientPrincipal, Guard, Principal, UserPrincipal } from '@ostiary/resource-server'
export type { ClientManagement } from './client-management.js'
export type { ClientInput } from './client-options.js'
export type { ClientField, ClientFieldOption, ClientFieldSwitch, ClientSource } from './clients/field.js'
export { clientFields } from './clients/field-lists.js'
export {
  isLoopbackIssuer,
  isPublishBefore,
  MIN_PUBLISH_BEFORE,
  type OidcConfig,
  type OidcSettings,
  oidcSchema,
} from './config.js'
export {
  ConfigError,
  type ConfigFault,
  configFaults,
  formatConfigFault,
  withSuggestion,
} from './config-faults.js'
export { developmentLog, type LoggedEvent } from './development-log.js'
export { isNavigation, pageForBrowser } from './error-page.js'
export { OAuthError, type OAuthErrorCode, SealedKeyError } from './errors.js'
export { deliverEvent, type EventSink, type OidcEvent, type SessionEndReason } from './events.js'
export { inParallel } from './in-parallel.js'
export type { TickReport } from './jobs/tick.js'
export type { AccessEndReport, KeyInfo, Management, UserDeletionReport } from './management.js'
export {
  booleanFault,
  type OptionRule,
  objectFault,
  optional,
  optionalFunction,
  optionFaults,
  requiredFunction,
  secretRule,
} from './option-rules.js'
export { REALM_ID } from './parse-config.js'
export type {
  Account,
  Accounts,
  AllowedExchange,
  Claims,
  ClaimsResolver,
  ConsentPrompt,
  ConsentScope,
  DeviceConfirmation,
  DevicePage,
  DevicePrompt,
  DocumentRequest,
  ErrorKind,
  ErrorPrompt,
  ExchangePolicy,
  ExchangeRequest,
  FetchDocument,
  FetchedDocument,
  Interactions,
  Login,
  LoginPrompt,
  LogoutPrompt,
  RecordOfUser,
  SignedOutPrompt,
} from './ports.js'
export { ClientInputError, MissingViewError } from './program-errors.js'
export type { ClaimsTarget } from './protocol/claim-targets.js'
export { standardClaims } from './protocol/claims.js'
export { clientFaults, clientInput, clientRecord } from './protocol/client-input.js'
export {
  addressKeys,
  type CountedNetwork,
  counterOf,
  networksOf,
  PEER_LIMIT_FACTOR,
  type Sender,
} from './protocol/counter-keys.js'
export { defaultExchangePolicy } from './protocol/exchange-policy.js'
export { type ImportedClient, type ImportOptions, importedClient } from './protocol/imported-client.js'
export { importedClientDocument } from './protocol/imported-client-document.js'
export { importedTimeFault } from './protocol/imported-times.js'
export { isLoopbackHost } from './protocol/loopback.js'
export { hasTooManyParameters } from './protocol/params.js'
export { type ProfileObstacle, profileObstacles } from './protocol/profile-client.js'
export { type RequestTarget, requestTarget } from './protocol/request-target.js'
export type { Hashes } from './protocol/secret.js'
export { sha256 } from './protocol/secret.js'
export {
  clientSecretFault,
  MIN_CLIENT_SECRET_LENGTH,
  MIN_SECRET_LENGTH,
  secretFault,
} from './protocol/secret-strength.js'
export { shownScopes } from './protocol/shown-scopes.js'
export { SIGNING_ALGORITHMS } from './protocol/signing-algorithms.js'
export { STANDARD_CLAIM_NAMES } from './protocol/standard-claims.js'
export { isLanguageTag } from './protocol/ui-locales.js'
export { createProvider } from './provider.js'
export type {
  CallOrigin,
  Provider,
  ProviderOptions,
  RealmGuardOptions,
  RequestInfo,
  RequestLocation,
} from './provider-interface.js'
export type { Realm, Resource } from './realm.js'
export type { RealmConfig } from './realm-config.js'
export { catalogReasons, hintFor, hintOfEvent, type RefusalReason } from './refusals/hints.js'
export type { Reason } from './refusals/reason.js'
export { referenceOf } from './refusals/reference.js'
export { RETIRED_KEYS, retiredKeyMessage, withoutRetiredKeys } from './retired-keys.js'
export type { RouteName } from './route-name.js'
export { isPagePath } from './routes.js'
export type { OidcPrincipal } from './steps/bearer-token.js'
export { shareCounter, shareOf } from './steps/ceiling.js'
export type { ClientCredentials, NewClient } from './steps/clients.js'
export type { ClientDeletionReport } from './steps/delete-client.js'
export { readBodyBytes } from './steps/params.js'
export type { UserSession } from './steps/session.js'
export {
  type ClientChanges,
  ClientConflictError,
  type ClientUpdate,
  type ClientUpdateOptions,
} from './steps/update-client.js'
export type * from './storage.js'
export { isStorableText, isTombstone, MAX_SPENT_REFRESH_TOKENS, requireStorableClient } from './storage.js'
export { bareSchema, closest, keysAt } from './suggestions.js'
export { type ImportedKeyOptions, importedKey } from './tokens/imported-key.js'
export type { Signer, SignFunction } from './tokens/keys.js'
export { unlessAborted } from './unless-aborted.js'
