/** DPoP where access tokens are presented: UserInfo and the guards of the application (RFC 9449 §7). */

import type { GuardDpop } from '@ostiary/resource-server'
import type { RealmContext } from '../realm/context.js'
import { findClientResource, type Realm } from '../realm/realm.js'
import { realmNonces } from './nonces.js'

/** Which guard it is. */
export interface GuardPlace {
  /** The resource whose guard it is, by its key in `oidc.resources` or its URI; undefined for one of all resources. */
  resource: string | undefined
  /** The URL of a request as clients see it; null: its path at the origin of the issuer. */
  url: ((request: Request, realm: Realm) => string) | null
}

/** Null where DPoP is off. */
export function guardDpop(c: RealmContext, { resource, url }: GuardPlace): GuardDpop | null {
  const { proofs } = c.realm.policy
  if (proofs === null) return null
  const { algorithms } = proofs
  const guarded = resource === undefined ? null : findClientResource(c.realm, resource)
  return {
    algorithms,
    required: guarded?.bound_tokens_only ?? proofs.every_token,
    url: (request) => url?.(request, c.realm) ?? requestUrl(request, c.realm),
    ...(proofs.nonce && { nonces: realmNonces(c, 'resource') }),
    replays: c.storage.replays,
  }
}

/** At the configured origin: the client chooses the header `Host`. */
const requestUrl = (request: Request, { issuer }: Realm): string =>
  new URL(issuer).origin + new URL(request.url).pathname
