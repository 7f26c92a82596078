/** The interfaces of the application about users who may not use a client. */

import type { Client, Session } from '../storage/storage.js'
import type { Account } from './account.js'
import type { Realm } from './realm.js'

/** A signed-in user, who comes with an authorization request or the code of a device. */
export interface AccessRequest {
  realm: Realm
  client: Client
  user: Account
  session: Session
}

/** The user may not. */
export interface DeniedAccess {
  /** For events (`application_<reason>`): 1 to 64 of a-z, 0-9 and _. */
  reason: string
}

/**
 * Whether the user may use the client, beside its own rules. Asked once an authorization. When it throws, or does not answer within a
 * second, the client gets `temporarily_unavailable`.
 */
export type AccessPolicy = (request: AccessRequest) => true | DeniedAccess | Promise<true | DeniedAccess>

/** What is not met: `allowed_groups` or `required_acr` of the client, or the policy of the application. */
export type DeniedRule = 'groups' | 'acr' | 'policy'
