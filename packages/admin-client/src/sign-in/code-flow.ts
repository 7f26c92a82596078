/** Signs the user in by a browser on this computer: the authorization code flow with PKCE (RFC 8252). */

import type { Configuration, DPoPHandle } from 'openid-client'
import { LoginError } from '../login-error.js'
import { isSecure } from '../server-origin.js'
import { load } from './discover.js'
import { loginError } from './failure.js'
import { type BrowserAnswer, openLoopback } from './loopback.js'
import type { SignedIn } from './signed-in.js'

/** An authorization that is asked for. */
export interface AccessRequest {
  config: Configuration
  /** Empty where tokens are not bound to a key. */
  dpop: { DPoP?: DPoPHandle }
  resource: string
  scope: string
  /** What a sign-in with a passkey or a second factor is called. */
  acr: string
}

/** How the user gets there. */
export interface BrowserOptions {
  /** Seconds: a sign-in that is older does not count. */
  max_age: number
  /** Shows the address of the sign-in. */
  show(url: URL): void
}

/** @throws LoginError */
export async function signInByBrowser(request: AccessRequest, options: BrowserOptions): Promise<SignedIn> {
  const loopback = await openLoopback()
  try {
    const secrets = await newSecrets()
    const url = await authorizationUrl(request, {
      ...secrets,
      ...options,
      redirect_uri: loopback.redirect_uri,
    })
    const waiting = loopback.answerTo(secrets.state)
    options.show(url)
    return await redeemed(request, secrets, await waiting)
  } catch (error) {
    throw loginError('The sign-in has failed', error)
  } finally {
    loopback.close()
  }
}

interface Secrets {
  state: string
  nonce: string
  code_verifier: string
}

async function newSecrets(): Promise<Secrets> {
  const { randomState, randomNonce, randomPKCECodeVerifier } = await load()
  return { state: randomState(), nonce: randomNonce(), code_verifier: randomPKCECodeVerifier() }
}

interface AuthorizationOptions extends Secrets {
  redirect_uri: string
  max_age: number
}

async function authorizationUrl(
  { config, dpop, resource, scope, acr }: AccessRequest,
  { redirect_uri, state, nonce, code_verifier, max_age }: AuthorizationOptions,
): Promise<URL> {
  const { buildAuthorizationUrl, buildAuthorizationUrlWithPAR, calculatePKCECodeChallenge } = await load()
  const parameters = {
    redirect_uri,
    scope,
    resource,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    acr_values: acr,
    max_age: String(max_age),
    ...(dpop.DPoP && { dpop_jkt: await dpop.DPoP.calculateThumbprint() }),
  }
  const { require_pushed_authorization_requests } = config.serverMetadata()
  const url = require_pushed_authorization_requests
    ? await buildAuthorizationUrlWithPAR(config, parameters, dpop)
    : buildAuthorizationUrl(config, parameters)
  if (!isSecure(url)) throw new LoginError(`The sign-in page ${url.origin} is not https`)
  return url
}

/** The browser waits until it is known how the sign-in has ended. */
async function redeemed(
  { config, dpop }: AccessRequest,
  { state, nonce, code_verifier }: Secrets,
  { url, show }: BrowserAnswer,
): Promise<SignedIn> {
  const { authorizationCodeGrant } = await load()
  try {
    // RFC 9207: the library compares `iss` only where the server says that it sends one.
    if (url.searchParams.get('iss') !== config.serverMetadata().issuer)
      throw new LoginError(
        'The answer is from another server than the one that was asked: run ostiary login again',
      )
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: code_verifier,
      idTokenExpected: true,
    }
    const tokens = await authorizationCodeGrant(config, url, checks, undefined, dpop)
    show('You are signed in. You can close this page, and go on in the terminal.')
    return tokens
  } catch (error) {
    show('The sign-in has failed. The terminal says why.')
    throw error
  }
}
