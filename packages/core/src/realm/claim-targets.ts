/** Where claims about a user go, and which attributes are mapped to claims there. */

/** An access token is for a resource server; the others are for the client. */
export type ClaimsTarget = 'id_token' | 'userinfo' | 'access_token'

/** A scope of the realm, or of the resource with this URI. The same name at two resources is two scopes. */
export interface MappedScope {
  scope: string
  resource: string | null
}

/** A claim that is made of an attribute. */
export interface ClaimMapping {
  claim: string
  attribute: string
  /** One of them is enough. */
  scopes: readonly MappedScope[]
  targets: readonly ClaimsTarget[]
}
