/** Verified redirect targets. Only this file can make one, so no answer is redirected to an unverified URI. */

import { matchesRedirectUri, withQuery } from '../clients/redirect-uri.js'
import { OAuthError } from '../http/errors.js'
import { MAX_STATE_LENGTH, type Params, refuseRepeated } from '../http/params.js'
import { redirect } from '../http/route-responses.js'
import type { Context } from '../realm/context.js'
import { insecureRedirectFault } from '../realm/policy.js'
import type { AuthorizationRequest, Client } from '../storage/storage.js'

declare const verified: unique symbol

/** A redirect URI that this client has registered. */
export interface RedirectTarget {
  readonly [verified]: true
  readonly client: Client
  readonly uri: string
  /** False when the request left it out. */
  readonly sent: boolean
  readonly state: string | null
}

/**
 * @param client_id The client that has authenticated, whose request may leave the parameter out.
 * @throws OAuthError `invalid_request`, which is answered with JSON since there is no URI to redirect to.
 */
export async function redirectTarget(
  c: Context,
  params: Params,
  client_id = params.get('client_id'),
): Promise<RedirectTarget> {
  refuseRepeated(params, ['client_id', 'redirect_uri'])
  if (client_id === null)
    throw new OAuthError('invalid_request', 'The parameter client_id is missing', 'missing_parameter')
  const uri = params.get('redirect_uri')
  c.facts.redirect_uri = uri
  const client = await activeClient(c, client_id)
  const redirect_uri = uri ?? onlyRedirectUri(c, client)
  return target(c, client, { redirect_uri, redirect_uri_sent: uri !== null, state: echoedState(params) })
}

/** The target of a pending request, verified again: the client may have changed while the user signed in. */
export async function storedTarget(c: Context, request: AuthorizationRequest): Promise<RedirectTarget> {
  c.facts.redirect_uri = request.redirect_uri
  const client = await activeClient(c, request.client_id)
  return target(c, client, request)
}

/** Redirects to the client, always with `iss` (RFC 9207) and the client's `state`. */
export function redirectToClient(c: Context, to: RedirectTarget, answer: Record<string, string>): Response {
  const location = withQuery(to.uri, { ...answer, state: to.state, iss: c.realm.issuer })
  return redirect(location, c.realm.policy.redirect_status(c.request.method))
}

/** A state that is repeated, malformed or too long is not echoed. */
function echoedState(params: Params): string | null {
  const state = params.exact('state')
  const unusable = params.repeated.has('state') || params.malformed.has('state')
  return unusable || (state?.length ?? 0) > MAX_STATE_LENGTH ? null : state
}

async function activeClient(c: Context, client_id: string): Promise<Client> {
  const client = client_id.includes('\0') ? null : await c.clients.find(client_id, 'authorize', c)
  c.facts.client_id = client?.client_id ?? null
  if (client === null || client.revoked_at !== null)
    throw new OAuthError('invalid_request', 'There is no client with this client_id', {
      reason: client === null ? 'unknown_client' : 'revoked_client',
    })
  return client
}

/** FAPI 2.0 Security Profile §5.3.2.2 requires the parameter, also where there is no choice. */
function onlyRedirectUri(c: Context, client: Client): string {
  const [only, ...others] = client.redirect_uris
  if (only === undefined || others.length > 0 || !c.realm.policy.redirect_uri_optional)
    throw new OAuthError('invalid_request', 'The parameter redirect_uri is missing', 'missing_redirect_uri')
  return only
}

type TargetFields = Pick<AuthorizationRequest, 'redirect_uri' | 'redirect_uri_sent' | 'state'>

function target(
  c: Context,
  client: Client,
  { redirect_uri, redirect_uri_sent, state }: TargetFields,
): RedirectTarget {
  c.facts.registered_uris = client.redirect_uris
  if (!client.redirect_uris.some((registered) => matchesRedirectUri(registered, redirect_uri)))
    throw new OAuthError('invalid_request', 'The redirect_uri is not registered for this client', {
      reason: 'unregistered_redirect_uri',
    })
  const fault = insecureRedirectFault(c.realm.policy, redirect_uri)
  if (fault !== null)
    throw new OAuthError('invalid_request', `The redirect_uri ${fault}`, { reason: 'insecure_redirect_uri' })
  return { client, uri: redirect_uri, sent: redirect_uri_sent, state } as RedirectTarget
}
