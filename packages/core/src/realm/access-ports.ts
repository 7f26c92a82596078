/** The interfaces of the application about users who may not use a client. */

import type { Client, Session } from '../storage/storage.js'
import type { Account } from './account.js'
import type { Realm } from './realm.js'

/** A signed-in user who comes with an authorization request, or with the code of a device. */
export interface AccessRequest {
  realm: Realm
  client: Client
  user: Account
  session: Session
}

/** The user may not use the client. */
export interface DeniedAccess {
  /** For events, which have it as `application_<reason>`: 1 to 64 of the characters `a` to `z`, `0` to `9` and `_`. */
  reason: string
}

/**
 * Whether the user may use the client, beside its `allowed_groups` and `required_acr`. Asked once an authorization, before the consent. An
 * answer that does not come within a second, is none of these, or throws, refuses the request with `temporarily_unavailable`.
 */
export type AccessPolicy = (request: AccessRequest) => true | DeniedAccess | Promise<true | DeniedAccess>

/** What is not met: `allowed_groups` or `required_acr` of the client, or the policy of the application. */
export type DeniedRule = 'groups' | 'acr' | 'policy'

/** What the page for a user who may not use the client shows. The client chooses its texts: escape them. */
export interface RefusedPrompt {
  realm: Realm
  client: Client
  user: Account
  rule: DeniedRule
  /**
   * The argument of `provider.cancel()`, which a form *Back* calls, and of `provider.loginPrompt()`, for a sign-in as another user. Null
   * where no authorization request waits: the user has entered the code of a device.
   */
  return_to: string | null
  /** As in `LoginPrompt`. Null where no authorization request waits. */
  redirect_uri: string | null
  /** As in `ErrorPrompt`. */
  reference: string | null
  /** As in `LoginPrompt`. */
  ui_locales: string[]
  request: Request
}
