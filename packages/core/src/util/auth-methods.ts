/** How a client authenticates (RFC 6749 §2.3). */

import type { Client, TokenEndpointAuthMethod } from '../storage/records.js'

export const SECRET_METHODS = ['client_secret_basic', 'client_secret_post'] as const
export const AUTH_METHODS = ['none', ...SECRET_METHODS, 'private_key_jwt'] as const

/** The methods that the client is registered for; a request uses one of them. */
export const authMethods = (client: Client): readonly TokenEndpointAuthMethod[] =>
  client.token_endpoint_auth_methods ?? [client.token_endpoint_auth_method]
