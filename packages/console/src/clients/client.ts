/** A client, as the API shows one. */

import { problemOf } from '../session/api.js'
import type { Visit } from '../visit.js'
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
}

/** The path of the API for the clients, or for one. */
export function clientPath({ realm }: Pick<Visit, 'realm'>, client_id?: string, more = ''): string {
  const clients = `/realms/${encodeURIComponent(realm)}/clients`
  return client_id === undefined ? clients : `${clients}/${encodeURIComponent(client_id)}${more}`
}

/** A client and the ETag; the status of the answer where there is none to show. */
export async function readClient(
  c: Visit,
  client_id: string,
): Promise<{ client: ShownClient; etag: string } | { status: number }> {
  const answer = await c.api({ method: 'GET', path: clientPath(c, client_id) })
  const problem = problemOf(answer)
  if (problem !== null) return problem
  return { client: answer.body as ShownClient, etag: answer.etag ?? '' }
}

/** What a client is, by what it may do. */
export function kindOf({ grant_types, token_endpoint_auth_method, redirect_uris }: ShownClient): Kind {
  if (!grant_types.includes('authorization_code')) return 'machine'
  if (token_endpoint_auth_method !== 'none') return 'web'
  return redirect_uris.every((uri) => uri.startsWith('https:')) ? 'spa' : 'native'
}
