/** The authenticated caller: a user, or a client for a token without a user. Checks treat both alike. */

import type { AccessToken } from './access-token.js'
import { type ScopeCheck, scopeCheck } from './scopes.js'

/** The methods that user and client principals share. */
export interface AccessTokenBearer {
  /** The token that the guard has accepted. */
  currentAccessToken(): AccessToken
  /** Whether the token has this scope, or one that implies it. */
  tokenCan(scope: string): boolean
  /** The `client_id` that the token was issued to. */
  clientId(): string
  /** The claim that identifies the principal: `sub` for a user, `client_id` for a client. */
  getAuthIdentifierName(): string
  /** The value of that claim. */
  getAuthIdentifier(): string
}

/** A user, on whose behalf a client calls. */
export interface UserPrincipal<User = unknown> extends AccessTokenBearer {
  kind: 'user'
  user: User
}

/** A client that calls for itself. Only scopes and audience authorize it: it has no roles, permissions or password. */
export interface ClientPrincipal<Client = unknown> extends AccessTokenBearer {
  kind: 'client'
  client: Client
  /** Throws: a client principal has no password. */
  getAuthPassword(): never
  /** Throws: a client principal has no password. */
  getAuthPasswordName(): never
  getRememberToken(): null
}

/** The principal of a verified token. */
export type Principal<User = unknown, Client = unknown> = UserPrincipal<User> | ClientPrincipal<Client>

/** For tokens whose scopes imply no others. */
const EXACT = scopeCheck()

const bearer = (
  token: AccessToken,
  covers: ScopeCheck,
): Pick<AccessTokenBearer, 'currentAccessToken' | 'tokenCan' | 'clientId'> => ({
  currentAccessToken: () => token,
  tokenCan: (scope) => covers(token.scopes, scope),
  clientId: () => token.claims.client_id,
})

/**
 * Makes the principal of a user.
 * @param covers From `scopeCheck`, for scopes that imply others. By default only the token's own scopes count.
 */
export function userPrincipal<User>(
  user: User,
  token: AccessToken,
  covers: ScopeCheck = EXACT,
): UserPrincipal<User> {
  return {
    kind: 'user',
    user,
    ...bearer(token, covers),
    getAuthIdentifierName: () => 'sub',
    getAuthIdentifier: () => token.claims.sub,
  }
}

/**
 * Makes the principal of a client that calls for itself.
 * @param covers As for `userPrincipal`.
 */
export function clientPrincipal<Client>(
  client: Client,
  token: AccessToken,
  covers: ScopeCheck = EXACT,
): ClientPrincipal<Client> {
  const noPassword = (): never => {
    throw new Error('A client principal has no password')
  }
  return {
    kind: 'client',
    client,
    ...bearer(token, covers),
    getAuthIdentifierName: () => 'client_id',
    getAuthIdentifier: () => token.claims.client_id,
    getAuthPassword: noPassword,
    getAuthPasswordName: noPassword,
    getRememberToken: () => null,
  }
}
