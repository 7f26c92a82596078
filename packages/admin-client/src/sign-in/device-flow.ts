/** Signs the user in by a browser on another device: the device authorization grant (RFC 8628). */

import { LoginError } from '../login-error.js'
import { isSecure, printable } from '../server-origin.js'
import type { AccessRequest } from './code-flow.js'
import { load } from './discover.js'
import { loginError } from './failure.js'
import type { SignedIn } from './signed-in.js'

/**
 * @param show Shows where the user enters which code.
 * @throws LoginError
 */
export async function signInByDevice(
  { config, dpop, resource, scope }: AccessRequest,
  show: (page: { url: string; code: string }) => void,
): Promise<SignedIn> {
  if (config.serverMetadata().device_authorization_endpoint === undefined)
    throw new LoginError(
      'The server signs no devices in: set oidc.clients.device_authorization in its configuration, or leave out --device',
    )
  const { initiateDeviceAuthorization, pollDeviceAuthorizationGrant } = await load()
  try {
    const answer = await initiateDeviceAuthorization(config, { scope, resource })
    const { verification_uri: url, user_code: code } = answer
    if (!URL.canParse(url) || !isSecure(new URL(url)))
      throw new LoginError(`The page for the code is not https: ${printable(url)}`)
    show({ url: new URL(url).href, code: printable(code) })
    return await pollDeviceAuthorizationGrant(config, answer, undefined, dpop)
  } catch (error) {
    throw loginError('The sign-in has failed', error)
  }
}
