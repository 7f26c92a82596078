/** What the MCP server may know about the caller. */

import type { AuthInfo } from '@modelcontextprotocol/server'
import type { Principal } from '@ostiary/resource-server'

/** @param resource The URL of the MCP server, whose metadata document the SDK's challenges name. */
export function authInfoOf(principal: Principal, resource: string): AuthInfo {
  const { claims, scopes } = principal.currentAccessToken()
  return {
    // The tools need no token, so they get none.
    token: '',
    clientId: principal.clientId(),
    scopes: [...scopes],
    expiresAt: claims.exp,
    resource: new URL(resource),
    extra: { user: principal.kind === 'user' ? principal.getAuthIdentifier() : null },
  }
}
