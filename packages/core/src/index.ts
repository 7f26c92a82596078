export type { AccessToken, ClientPrincipal, Guard, Principal, UserPrincipal } from '@ostiary/resource-server'
export type { UserSession } from './authorize/session.js'
export { shownScopes } from './authorize/shown-scopes.js'
export { clientFaults, clientInput, clientRecord } from './clients/client-input.js'
export type { ClientManagement } from './clients/client-management.js'
export type { ClientInput } from './clients/client-options.js'
export type { ClientCredentials, NewClient } from './clients/create-client.js'
export type { ClientDeletionReport } from './clients/delete-client.js'
export type { ClientField, ClientFieldOption, ClientFieldSwitch, ClientSource } from './clients/field.js'
export { clientFields } from './clients/field-lists.js'
export { GRANT_TYPES } from './clients/grant-types.js'
export { type ImportedClient, type ImportOptions, importedClient } from './clients/imported-client.js'
export { importedClientDocument } from './clients/imported-client-document.js'
export { importedTimeFault } from './clients/imported-times.js'
export { type ProfileObstacle, profileObstacles } from './clients/profile-client.js'
export {
  type ClientChanges,
  ClientConflictError,
  type ClientUpdate,
  type ClientUpdateOptions,
} from './clients/update-client.js'
export {
  isLoopbackIssuer,
  isPublishBefore,
  MIN_PUBLISH_BEFORE,
  type OidcConfig,
  type OidcSettings,
  oidcSchema,
} from './config/config.js'
export { ConfigError, type ConfigFault, formatConfigFault, refuseFaults } from './config/config-error.js'
export { configFaults, withSuggestion } from './config/faults.js'
export {
  booleanFault,
  type OptionRule,
  objectFault,
  optional,
  optionalFunction,
  optionFaults,
  requiredFunction,
  secretRule,
} from './config/option-rules.js'
export { REALM_ID } from './config/parse.js'
export type { RealmConfig } from './config/realm-config.js'
export {
  RETIRED_KEYS,
  RETIRED_LOGIN_KEYS,
  retiredKeyMessage,
  withoutRetiredKeys,
} from './config/retired-keys.js'
export { STANDARD_CLAIM_NAMES } from './config/standard-claims.js'
export { type ImportedKeyOptions, importedKey } from './crypto/imported-key.js'
export type { Signer, SignFunction } from './crypto/keys.js'
export type * from './features/types.js'
export { OAuthError, type OAuthErrorCode, SealedKeyError } from './http/errors.js'
export { hasTooManyParameters } from './http/params.js'
export { ClientInputError, MissingViewError } from './http/program-errors.js'
export { type RequestTarget, requestTarget } from './http/request-target.js'
export type { ProviderRoute, RouteName } from './http/route-name.js'
export type { TickReport } from './jobs/tick.js'
export { developmentLog, type LoggedEvent } from './provider/development-log.js'
export type { AccessEndReport, KeyInfo, Management, UserDeletionReport } from './provider/management.js'
export type {
  CallOrigin,
  CancelledRequest,
  Provider,
  ProviderOptions,
  RealmGuardOptions,
  RequestInfo,
  RequestLocation,
} from './provider/provider-interface.js'
export { createProvider } from './provider.js'
export { meetsAcrValues } from './realm/acr.js'
export type { ClaimsTarget } from './realm/claim-targets.js'
export { standardClaims } from './realm/claims.js'
export { deliverEvent, type EventSink, type OidcEvent, type SessionEndReason } from './realm/events.js'
export { defaultExchangePolicy } from './realm/exchange-policy.js'
export type {
  AccessPolicy,
  AccessRequest,
  Account,
  Accounts,
  AllowedExchange,
  Claims,
  ClaimsResolver,
  ConsentPrompt,
  ConsentScope,
  DeniedAccess,
  DeniedRule,
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
  RefusedPrompt,
  SignedOutPrompt,
} from './realm/ports.js'
export { withoutProtocolClaims } from './realm/protocol-claims.js'
export type { Realm, Resource } from './realm/realm.js'
export { catalogReasons, hintFor, hintOfEvent, type RefusalReason } from './refusals/hints.js'
export { shareCounter, shareOf } from './request/ceiling.js'
export {
  addressKeys,
  type CountedNetwork,
  counterOf,
  networksOf,
  PEER_LIMIT_FACTOR,
  type Sender,
} from './request/counter-keys.js'
export { isNavigation, pageForBrowser, referenceOf } from './request/error-page.js'
export { readBodyBytes } from './request/read-params.js'
export {
  BUCKETS,
  bucketByHash,
  bucketByTag,
  bucketOfJti,
  grantOfJti,
  tagOfBucket,
} from './storage/bucket.js'
export type * from './storage/storage.js'
export {
  isStorableText,
  isTombstone,
  MAX_SPENT_REFRESH_TOKENS,
  requireStorableClient,
} from './storage/storage.js'
export { personTag, tagOf } from './storage/tag.js'
export type { OidcPrincipal } from './tokens/bearer-token.js'
export type { SecurityEvent } from './tokens/security-event.js'
export { inParallel } from './util/in-parallel.js'
export { isLoopbackHost } from './util/loopback.js'
export type { Reason } from './util/reason.js'
export { readBy } from './util/schema-text.js'
export type { Hashes } from './util/secret.js'
export { sha256 } from './util/secret.js'
export {
  clientSecretFault,
  MIN_CLIENT_SECRET_LENGTH,
  MIN_SECRET_LENGTH,
  secretFault,
} from './util/secret-strength.js'
export { SIGNING_ALGORITHMS } from './util/signing-algorithms.js'
export { bareSchema, closest, keysAt } from './util/suggestions.js'
export { isLanguageTag } from './util/ui-locales.js'
export { unlessAborted } from './util/unless-aborted.js'
