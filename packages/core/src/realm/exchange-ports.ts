/** The interface of the application that decides about token exchanges (RFC 8693). */

import type { AccessToken } from '@ostiary/resource-server'
import type { Client } from '../storage/storage.js'
import type { Realm } from './realm.js'

/** A token exchange (RFC 8693) whose subject token and target were checked. */
export interface ExchangeRequest {
  realm: Realm
  /** The client that sends the request. */
  client: Client
  subject: AccessToken
  /**
   * Whether the subject token is addressed to the client: to its `client_id`, or to a resource whose `clients` name it. The client
   * has authenticated then, unless its `client_id` is in the token's `aud`.
   */
  addressed: boolean
  /** The audience of the new token. */
  audience: string
  /** The scopes that the audience owns. */
  owned_scopes: readonly string[]
  /** Null when the request names none. */
  requested_scopes: readonly string[] | null
}

/** What an exchange policy allows. */
export interface AllowedExchange {
  /** The scopes of the new token. */
  scopes: string[]
  /**
   * `Bearer`: the new token is not bound to a key, even if the subject token is. An API to which a bound token is addressed needs no
   * key of its own then. Without it, the new token is bound to the key of the request's proof, and a bound subject token needs one.
   */
  token_type?: 'Bearer'
}

/** @throws OAuthError to refuse the exchange. */
export type ExchangePolicy = (request: ExchangeRequest) => Promise<AllowedExchange>
