/** The sign-in: the authorization code flow with PKCE. */

import type { IDToken } from 'oauth4webapi'
import { CALLBACK_PATH } from '../paths.js'
import { type Cookie, signInCookie } from '../web/cookies.js'
import type { Sealer } from '../web/seal.js'
import {
  type AuthorizationServer,
  newProofKey,
  openServer,
  proofsOf,
  type ServerOptions,
  withNonce,
} from './oauth.js'
import type { ProofKey, SignedIn } from './sessions.js'

export interface SignInOptions extends ServerOptions {
  origin: string
  sealer: Sealer
  /** Of the admin API. */
  resource: string
  scopes: readonly string[]
}

/** Where the browser goes, with the cookie of the sign-in. */
interface Begun {
  location: string
  cookie: string
}

/** How a sign-in has ended. */
type SignInEnd = { signed_in: SignedIn; to: string } | { failed: string }

export interface SignIn {
  /** @param to The path to which it leads. `max_age`: seconds since the user has proved who it is. */
  begin(to: string, asked: { language: string; max_age: number }): Promise<Begun>
  /** @param request The one to the callback. */
  finish(request: Request): Promise<SignInEnd>
  /** Revokes the token. */
  revoke(session: Pick<SignedIn, 'access_token'>): Promise<void>
  /** Removes the cookie of the sign-in. */
  forget: string
  /** Where the user signs out of the server; null where it has no such page. */
  signOutOfServer(): Promise<string | null>
}

/** A browser that has signed in within this time does not sign in again: half of what the admin API accepts. */
export const SIGN_IN_AGE_SECONDS = 1800
/** In which the user signs in. */
const SIGN_IN_SECONDS = 900

/** What the browser carries, sealed, until it comes back. */
interface Waiting {
  state: string
  nonce: string
  code_verifier: string
  dpop_key: ProofKey | null
  to: string
  expires_at: number
}

const CONTEXT = 'sign-in'

export function createSignIn(options: SignInOptions): SignIn {
  const { origin, sealer, now } = options
  const cookie = signInCookie(origin)
  const redirect_uri = origin + CALLBACK_PATH
  return {
    forget: cookie.write('', 0),
    async begin(to, asked) {
      const server = await openServer(options)
      const { generateRandomState, generateRandomNonce, generateRandomCodeVerifier } = server.oauth
      const waiting: Waiting = {
        state: generateRandomState(),
        nonce: generateRandomNonce(),
        code_verifier: generateRandomCodeVerifier(),
        dpop_key: await newProofKey(server),
        to,
        expires_at: now() + SIGN_IN_SECONDS,
      }
      const location = await authorizationUrl(server, waiting, { ...options, ...asked, redirect_uri })
      return { location, cookie: cookie.write(sealer.seal(waiting, CONTEXT), SIGN_IN_SECONDS) }
    },
    async finish(request) {
      const waiting = openWaiting(cookie, sealer, request)
      if (waiting === null || waiting.expires_at <= now()) return { failed: 'no_sign_in' }
      return redeem(await openServer(options), waiting, { url: new URL(request.url), redirect_uri })
    },
    async revoke({ access_token }) {
      const server = await openServer(options)
      const { oauth, metadata, client } = server
      if (metadata.revocation_endpoint === undefined) return
      await oauth.revocationRequest(metadata, client, oauth.None(), access_token, server.options)
    },
    async signOutOfServer() {
      const { metadata, client } = await openServer(options)
      if (metadata.end_session_endpoint === undefined) return null
      const url = new URL(metadata.end_session_endpoint)
      url.searchParams.set('client_id', client.client_id)
      return url.href
    },
  }
}

function openWaiting(cookie: Cookie, sealer: Sealer, request: Request): Waiting | null {
  const value = cookie.read(request)
  return value === null ? null : (sealer.open(value, CONTEXT) as Waiting | null)
}

interface Asked extends SignInOptions {
  language: string
  max_age: number
  redirect_uri: string
}

async function authorizationUrl(
  server: AuthorizationServer,
  { state, nonce, code_verifier, dpop_key }: Waiting,
  { redirect_uri, resource, scopes, language, max_age }: Asked,
): Promise<string> {
  const { oauth, metadata, client, options } = server
  const proofs = await proofsOf(server, dpop_key)
  const url = new URL(metadata.authorization_endpoint ?? '')
  const [, two_factors = ''] = (metadata.acr_values_supported as string[] | undefined) ?? []
  const parameters = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri,
    // What may be written may be read.
    scope: ['openid', 'profile', ...scopes.filter((scope) => scope.endsWith(':write'))].join(' '),
    resource,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    acr_values: two_factors,
    max_age: String(max_age),
    ui_locales: language,
    ...(proofs.DPoP && { dpop_jkt: await proofs.DPoP.calculateThumbprint() }),
  }
  if (metadata.require_pushed_authorization_requests !== true) {
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url.href
  }
  const { request_uri } = await withNonce(oauth, async () => {
    const pushed = { ...options, ...proofs }
    const response = await oauth.pushedAuthorizationRequest(
      metadata,
      client,
      oauth.None(),
      parameters,
      pushed,
    )
    return oauth.processPushedAuthorizationResponse(metadata, client, response)
  })
  url.searchParams.set('client_id', client.client_id)
  url.searchParams.set('request_uri', request_uri)
  return url.href
}

/** The token for the code. A fault of the answer, which the browser has brought, ends the sign-in. */
async function redeem(
  server: AuthorizationServer,
  { state, nonce, code_verifier, dpop_key, to }: Waiting,
  { url, redirect_uri }: { url: URL; redirect_uri: string },
): Promise<SignInEnd> {
  const { oauth, metadata, client, options } = server
  try {
    const answer = oauth.validateAuthResponse(metadata, client, url, state)
    const proofs = await proofsOf(server, dpop_key)
    const tokens = await withNonce(oauth, async () => {
      const response = await oauth.authorizationCodeGrantRequest(
        metadata,
        client,
        oauth.None(),
        answer,
        redirect_uri,
        code_verifier,
        { ...options, ...proofs },
      )
      const expected = { expectedNonce: nonce, requireIdToken: true }
      return oauth.processAuthorizationCodeResponse(metadata, client, response, expected)
    })
    const claims: Partial<IDToken> = oauth.getValidatedIdTokenClaims(tokens) ?? {}
    const { sub = '', auth_time = 0, preferred_username, name } = claims
    const shown = [preferred_username, name, sub].find((text) => typeof text === 'string' && text !== '')
    const { access_token } = tokens
    return { to, signed_in: { sub, name: String(shown), access_token, dpop_key, auth_time } }
  } catch (error) {
    const { code, error: answered } = error as { code?: unknown; error?: unknown }
    if (typeof code !== 'string' || !code.startsWith('OAUTH_')) throw error
    return { failed: answered === 'access_denied' ? 'denied' : 'answer' }
  }
}
