import type { FeatureRouteName } from '../features/declarations.js'

/** The name by which an application calls a route's handler or gets its URL. Names stay the same across versions. */
export type RouteName =
  | 'oidc.discovery'
  | 'oidc.authorization-server'
  | 'oidc.protected-resource'
  | 'oidc.jwks'
  | 'oidc.authorize'
  | 'oidc.resume'
  | 'oidc.approve'
  | 'oidc.deny'
  | 'oidc.token'
  | FeatureRouteName

/** A route of the provider, for an application that mounts, labels or documents it. */
export interface ProviderRoute {
  name: RouteName
  /** Below the realm. Two routes may have one path, with different methods. */
  path: string
  methods: readonly string[]
  /** Whether pages of any origin may read the answers. */
  cors: boolean
  /** Whether a person navigates there: a browser gets its errors as pages. */
  page: boolean
  /** Whether it has a document that is the same for every request (`provider.document`). */
  document: boolean
}
