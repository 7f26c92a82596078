export {
  type AccessToken,
  type AccessTokenClaims,
  type AccessTokenRules,
  verifyAccessToken,
} from './access-token.js'
export {
  BearerError,
  type BearerErrorCode,
  bearerToken,
  type ChallengeParameters,
  challenge,
  challengeHeader,
} from './bearer.js'
export { type Check, createGuard, type Guard, type GuardOptions } from './guard.js'
export {
  type AccessTokenBearer,
  type ClientPrincipal,
  clientPrincipal,
  type Principal,
  type UserPrincipal,
  userPrincipal,
} from './principal.js'
