/** Signs an administrator in to a server, and stores the sign-in; and ends it. */

import type { Configuration } from 'openid-client'
import { LoginError } from '../login-error.js'
import type { CredentialStore, SignIn } from '../store/credentials.js'
import { type AccessRequest, signInByBrowser } from './code-flow.js'
import { signInByDevice } from './device-flow.js'
import { type AdminApi, discoverApi, discoverIssuer, load, newProofKey, proofs } from './discover.js'
import { loginError } from './failure.js'
import { MAX_AGE } from './max-age.js'
import type { SignedIn } from './signed-in.js'

export interface LoginOptions {
  store: CredentialStore
  by: 'browser' | 'device'
  /** Whether the user signs in again, however new the sign-in of the browser is. */
  fresh: boolean
  /** Epoch seconds. */
  now: number
  /** Shows the address of the sign-in. */
  show(url: URL): void
  /** Shows the page for a device, and the code that the user enters there. */
  showDevice(page: { url: string; code: string }): void
}

/** @param server Its origin. @throws LoginError */
export async function login(server: string, options: LoginOptions): Promise<SignIn> {
  const { store, by, fresh, now, show, showDevice } = options
  const former = (await store.all()).get(server)
  const api = await discoverApi(server)
  const config = await issuerConfig(api)
  const dpop_key = (former?.issuer === api.issuer && former.dpop_key) || (await newProofKey(config))
  const request = { config, dpop: await proofs(config, dpop_key), ...wanted(api, config) }
  const tokens =
    by === 'device'
      ? await signInByDevice(request, showDevice)
      : await signInByBrowser(request, { max_age: fresh ? 0 : MAX_AGE, show })
  const sign_in = { ...checked(tokens, { api, acr: request.acr }), dpop_key, signed_in_at: now }
  // A command that refreshes the former sign-in stores its token before.
  await store.alone(server, () => store.put(server, sign_in))
  return sign_in
}

async function issuerConfig({ issuer }: AdminApi): Promise<Configuration> {
  const config = await discoverIssuer(issuer).catch((error) => {
    throw loginError(`${issuer} is not an OpenID provider`, error)
  })
  const { token_endpoint_auth_methods_supported: methods = [] } = config.serverMetadata()
  if (!methods.includes('none'))
    throw new LoginError(
      `${issuer} has confidential clients alone (oidc.profile), and so no command line: administer with a program that has a key`,
    )
  return config
}

/** What the user is asked to allow. Write implies read. */
function wanted(
  { resource, scopes }: AdminApi,
  config: Configuration,
): Pick<AccessRequest, 'resource' | 'scope' | 'acr'> {
  const areas = scopes.filter(
    (scope) => !scope.endsWith(':read') || !scopes.includes(scope.replace(/:read$/, ':write')),
  )
  // The second one is what a sign-in with two factors or a passkey is called.
  const acr = config.serverMetadata().acr_values_supported?.[1]
  if (acr === undefined)
    throw new LoginError(
      'Administrators sign in with a passkey or a second factor, and the server offers neither: set identity.passkeys or identity.totp',
    )
  return { resource, scope: ['openid', 'profile', ...areas].join(' '), acr }
}

function checked(
  tokens: SignedIn,
  { api, acr }: { api: AdminApi; acr: string },
): Omit<SignIn, 'dpop_key' | 'signed_in_at'> {
  const claims = tokens.claims()
  const { refresh_token, scope = '' } = tokens
  if (claims === undefined || refresh_token === undefined)
    throw new LoginError('The server has issued no refresh token: its client ostiary-cli has been changed')
  if (!scope.split(' ').some((each) => each.startsWith('admin.')))
    throw new LoginError('The sign-in does not allow the use of the admin API')
  if (claims.acr !== acr)
    throw new LoginError(
      'Administrators sign in with a passkey or a second factor: add one on the account page, sign out there, and run ostiary login again',
    )
  const { sub, preferred_username } = claims
  const username = typeof preferred_username === 'string' ? preferred_username : null
  return { ...api_names(api), scope, sub, username, refresh_token }
}

const api_names = ({ issuer, resource }: AdminApi) => ({ issuer, resource })

/**
 * Revokes the refresh token (RFC 7009), and with it every token of the sign-in; then removes it here, in any case.
 * @returns Null when there was none; else why the token could not be revoked, or null.
 */
export async function logout(
  store: CredentialStore,
  server: string,
): Promise<{ failure: LoginError | null } | null> {
  return store.alone(server, async () => {
    const sign_in = (await store.all()).get(server)
    if (sign_in === undefined) return null
    const failure = await revoked(sign_in).then(
      () => null,
      (error) => loginError('The sign-in could not be revoked', error),
    )
    await store.put(server, null)
    return { failure }
  })
}

async function revoked({ issuer, refresh_token }: SignIn): Promise<void> {
  const { tokenRevocation } = await load()
  const config = await discoverIssuer(issuer)
  await tokenRevocation(config, refresh_token, { token_type_hint: 'refresh_token' })
}
