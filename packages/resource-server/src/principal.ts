/** Who is calling: a user or, for a token without one, a client. Checks treat both alike. */

import type { AccessToken } from './access-token.js'

/** What users and clients behind a token have in common. */
export interface AccessTokenBearer {
  /** The token that the guard accepted. */
  currentAccessToken(): AccessToken
  /** Whether the token carries this scope. */
  tokenCan(scope: string): boolean
  /** The wire `client_id` that the token was issued to. */
  clientId(): string
  getAuthIdentifierName(): string
  getAuthIdentifier(): string
}

/** A person, on whose behalf a client calls. */
export interface UserPrincipal<User = unknown> extends AccessTokenBearer {
  kind: 'user'
  user: User
}

/** No roles, no permissions, no password: authorized by scope and audience alone. */
export interface ClientPrincipal<Client = unknown> extends AccessTokenBearer {
  kind: 'client'
  client: Client
  /** Throws: a client principal has no password. */
  getAuthPassword(): never
  /** Throws: a client principal has no password. */
  getAuthPasswordName(): never
  getRememberToken(): null
}

/** Who is behind a verified token. */
export type Principal<User = unknown, Client = unknown> = UserPrincipal<User> | ClientPrincipal<Client>

const bearer = (
  token: AccessToken,
): Pick<AccessTokenBearer, 'currentAccessToken' | 'tokenCan' | 'clientId'> => ({
  currentAccessToken: () => token,
  tokenCan: (scope) => token.scopes.includes(scope),
  clientId: () => token.claims.client_id,
})

/** The principal of a person. */
export function userPrincipal<User>(user: User, token: AccessToken): UserPrincipal<User> {
  return {
    kind: 'user',
    user,
    ...bearer(token),
    getAuthIdentifierName: () => 'sub',
    getAuthIdentifier: () => token.claims.sub,
  }
}

/** The principal of a client that acts for itself. */
export function clientPrincipal<Client>(client: Client, token: AccessToken): ClientPrincipal<Client> {
  const noPassword = (): never => {
    throw new Error('A client principal has no password')
  }
  return {
    kind: 'client',
    client,
    ...bearer(token),
    getAuthIdentifierName: () => 'client_id',
    getAuthIdentifier: () => token.claims.client_id,
    getAuthPassword: noPassword,
    getAuthPasswordName: noPassword,
    getRememberToken: () => null,
  }
}
