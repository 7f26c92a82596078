/** What a load generator needs to know of a server. It is passed as JSON. */

export type SignIn = 'ostiary' | 'oidc-provider' | 'better-auth'

export interface Target {
  origin: string
  /** The paths of the server's endpoints; the server does not have the missing ones. */
  paths: Partial<Record<Endpoint, string>>
  /** How a user signs in there. */
  sign_in?: SignIn
  /** The protected resource that tokens are asked for. */
  resource?: string
  /** For a server that only validates: what it accepts. */
  access_token?: string
  /** The number of realms; requests go to all of them in turn. */
  realms?: number
}

export type Endpoint =
  | 'discovery'
  | 'jwks'
  | 'token'
  | 'authorize'
  | 'introspect'
  | 'userinfo'
  | 'register'
  | 'protected'
  | 'password'

/** The same clients and users on every server. */
export const CALLBACK = 'https://app.example.com/callback'
export const MACHINE = {
  client_id: 'machine',
  client_secret: 'measured-measured-measured-measured-measured',
} as const
/** Public clients: one gets no refresh token, the other does. */
export const WEB = 'web'
export const WEB_REFRESH = 'web-refresh'
export const SCOPE = 'notes.read'
export const PASSWORD = 'correct horse battery staple'
/** How many users can sign in. Connection `n` signs in as user `n`. */
export const PEOPLE = 16

export const username = (index: number): string => `person-${index}`
export const email = (index: number): string => `${username(index)}@example.com`
