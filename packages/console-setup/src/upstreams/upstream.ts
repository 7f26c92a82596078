/** Another provider, as the API and the commands show it. */

export interface ShownUpstream {
  id: string
  /** On the button. */
  name: string
  type: 'oidc' | 'github'
  issuer: string | null
  client_id: string
  authentication: 'client_secret' | 'private_key'
  redirect_uri: string
  backchannel_logout_uri: string | null
  scopes: readonly string[] | null
  signup: boolean
  link: 'signed_in' | 'verified_email'
  domains: readonly string[]
  authoritative_domains: readonly string[]
  tenants: readonly string[]
  only: boolean
  require_second_factor: boolean
  groups: { claim: string; map: Readonly<Record<string, string>> } | null
  /** Where the configuration has it. */
  key: string
}

/** Whether a sign-in there can begin. */
export interface UpstreamCheck {
  id: string
  /** False at GitHub, where there is nothing to ask for. */
  asked: boolean
  ready: boolean
  /** Why not, in a word, and what to do; null when it can. */
  reason: string | null
  hint: string | null
}
