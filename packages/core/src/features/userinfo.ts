/** `GET|POST /oauth/userinfo`: OpenID Connect Core §5.3. */

import type { Principal, UserPrincipal } from '@ostiary/resource-server'
import { BearerError, challenge, tokenCredentials, withHeaders } from '@ostiary/resource-server'
import { PATHS } from '../http/paths.js'
import { json, proofCors } from '../http/responses.js'
import { sentOf } from '../http/sent.js'
import type { Context } from '../realm/context.js'
import type { Account } from '../realm/ports.js'
import { hintFor } from '../refusals/hints.js'
import type { Feature } from './feature.js'

async function answer(c: Context): Promise<Response> {
  const cors = proofCors(c.realm.policy)
  const principal = await c.guard.authenticate(c.request)
  if (principal instanceof Response) return withHeaders(principal, cors)
  const headers = withNextNonce(c, cors)
  if (!isUser(principal)) return withHeaders(machineToken(c), headers)
  const refused = c.guard.checkScopes('openid')(c.request)
  if (refused) return withHeaders(refused, headers)

  const { user } = principal
  const { scopes, audience } = principal.currentAccessToken()
  const claims = await c.claims({ user, scopes, audience: audience[0] ?? c.realm.issuer }, 'userinfo')
  return json({ sub: user.sub, ...claims }, { headers })
}

const isUser = (principal: Principal): principal is UserPrincipal<Account> => principal.kind === 'user'

/** The headers with the nonce for the client's next proof, when it has changed (RFC 9449 §8.2). */
function withNextNonce(c: Context, headers: Record<string, string>): Record<string, string> {
  const nonce = c.realm.policy.proofs ? c.guard.nonce(c.request) : null
  return nonce === null ? headers : { ...headers, 'dpop-nonce': nonce }
}

/** A token of client_credentials has no user. */
function machineToken(c: Context): Response {
  const { code, reason } = new BearerError('invalid_token', 'machine_token')
  const sent = sentOf({ request: c.request, params: null, now: c.now() }, reason)
  c.emit({ type: 'bearer.refused', error: code, reason, sent, hint: hintFor(reason) })
  const { policy, id, urls } = c.realm
  const { scheme = 'Bearer' } = tokenCredentials(c.request, ['Bearer', 'DPoP']) ?? {}
  return challenge({
    realm: id,
    error: code,
    resource_metadata: urls.protected_resource(),
    ...(policy.proofs && { dpop: { algorithms: policy.proofs.algorithms, scheme } }),
  })
}

export const userinfo: Feature = {
  spec: 'OpenID Connect Core §5.3',
  enabled: ({ settings }) => settings.handlers.userinfo,
  endpoints: {
    'oidc.userinfo': {
      methods: ['GET', 'HEAD', 'POST'],
      path: PATHS.userinfo,
      cors: true,
      reads_proofs: true,
      handler: answer,
    },
  },
  metadata: ({ urls }) => ({ userinfo_endpoint: urls.userinfo_endpoint }),
}
