/** A client, as the API shows one. */

import { apiPath, type Protected, readProtected, type Visit } from '@ostiary/console'
import type { Kind } from './kinds.js'

/** Times are epoch seconds. */
export interface ShownClient {
  client_id: string
  client_name: string
  origin: 'operator' | 'registered' | 'metadata_document'
  client_id_issued_at: number
  revoked_at: number | null
  redirect_uris: readonly string[]
  post_logout_redirect_uris: readonly string[]
  grant_types: readonly string[]
  token_endpoint_auth_method: string
  trusted: boolean
  consent_required: boolean
  /** Null: every user may use it. */
  allowed_groups: readonly string[] | null
  required_acr: string | null
  /** Null: those of the realm. */
  default_scopes: readonly string[] | null
  optional_scopes: readonly string[] | null
}

/** With what keeps the administrator from changing it. */
export type ReadClient = ShownClient & Protected

export const readClient = (c: Visit, client_id: string) =>
  readProtected<ShownClient>(c, apiPath(c, 'clients', client_id))

/** What a client is, by what it may do. */
export function kindOf({ grant_types, token_endpoint_auth_method, redirect_uris }: ShownClient): Kind {
  if (!grant_types.includes('authorization_code')) return 'machine'
  if (token_endpoint_auth_method !== 'none') return 'web'
  return redirect_uris.every((uri) => uri.startsWith('https:')) ? 'spa' : 'native'
}

/** Whether it gets tokens of users. */
export const actsForUsers = ({ grant_types }: ShownClient): boolean =>
  grant_types.some((grant) => grant !== 'client_credentials')
