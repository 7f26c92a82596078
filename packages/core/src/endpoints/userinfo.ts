/** `GET|POST /oauth/userinfo`: OpenID Connect Core §5.3. */

import type { Principal, UserPrincipal } from '@ostiary/resource-server'
import { BearerError, challenge } from '@ostiary/resource-server'
import type { Context } from '../context.js'
import type { Account } from '../ports.js'
import { CORS, json } from '../responses.js'
import { withCors } from '../route-responses.js'

export async function userinfo(c: Context): Promise<Response> {
  const principal = await c.guard.authenticate(c.request)
  if (principal instanceof Response) return withCors(principal)
  if (!isUser(principal)) return machineToken(c)
  const refused = c.guard.checkScopes('openid')(c.request)
  if (refused) return withCors(refused)

  const { user } = principal
  const { scopes, audience } = principal.currentAccessToken()
  const claims = await c.claims({ user, scopes, audience: audience[0] ?? c.realm.issuer }, 'userinfo')
  return json({ sub: user.sub, ...claims }, { headers: CORS })
}

const isUser = (principal: Principal): principal is UserPrincipal<Account> => principal.kind === 'user'

/** A token of client_credentials has no user. */
function machineToken(c: Context): Response {
  const { code, reason } = new BearerError('invalid_token', 'machine_token')
  c.emit({ type: 'bearer.refused', error: code, reason })
  const resource_metadata = c.realm.urls.protected_resource()
  return withCors(challenge({ realm: c.realm.id, error: code, resource_metadata }))
}
