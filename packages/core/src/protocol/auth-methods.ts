/** How a client authenticates (RFC 6749 §2.3). */

import type { Client, TokenEndpointAuthMethod } from '../records.js'

/** The methods that the client is registered for; a request uses one of them. */
export const authMethods = (client: Client): readonly TokenEndpointAuthMethod[] =>
  client.token_endpoint_auth_methods ?? [client.token_endpoint_auth_method]
