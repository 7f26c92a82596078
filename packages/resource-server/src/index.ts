export {
  type AccessToken,
  type AccessTokenClaims,
  type AccessTokenRules,
  verifyAccessToken,
} from './access-token.js'
export { headerAlgorithms, type SignatureAlgorithm } from './algorithms.js'
export { type AuthenticationRequirement, satisfiesAcr } from './authentication.js'
export {
  BearerError,
  type BearerErrorCode,
  bearerToken,
  type ChallengeParameters,
  challenge,
  challengeHeader,
  challengesOf,
  type DpopChallenge,
  type TokenCredentials,
  type TokenScheme,
  tokenCredentials,
  withHeaders,
} from './bearer.js'
export { type DpopNonces, dpopNonces } from './dpop/nonces.js'
export {
  DPOP_ALGORITHMS,
  type DpopProof,
  DpopProofError,
  type DpopProofFault,
  type DpopProofRules,
  verifyDpopProof,
} from './dpop/proof.js'
export { type GuardDpop, proofUse, type ReplayPort } from './dpop/resource-proof.js'
export { createGuard, type Guard, type GuardOptions, type RequestCheck } from './guard.js'
export { metadataUrl, type ProtectedResourceMetadata } from './metadata.js'
export type { DpopOptions, IntrospectionOptions, ResourceServerOptions, ValidationMode } from './options.js'
export {
  type AccessTokenBearer,
  type ClientPrincipal,
  clientPrincipal,
  type Principal,
  type UserPrincipal,
  userPrincipal,
} from './principal.js'
export { createResourceServer, type ResourceServer } from './resource-server.js'
export { type ScopeCheck, type ScopeImplications, scopeCheck } from './scopes.js'
export { isSignedBy, type JwsSignature } from './signature.js'
export { HASHED_JWT_CHARACTERS, type TokenStore, tokenStore } from './token-store.js'
export { IssuerUnavailableError } from './unavailable.js'
