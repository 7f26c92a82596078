/** The page that asks the user about a device. It always comes: for trusted clients and after stored consents too. */

import type { UserSession } from '../../authorize/session.js'
import { shownScopes } from '../../authorize/shown-scopes.js'
import type { Context } from '../../realm/context.js'
import { addressKeys } from '../../request/counter-keys.js'
import { throttleSession } from '../../request/throttle.js'
import type { Client } from '../../storage/storage.js'
import { authMethods } from '../../util/auth-methods.js'
import { newSecret, sha256 } from '../../util/secret.js'
import { mayUseDevices } from './device-client.js'
import type { DeviceConfirmation } from './prompts.js'
import type { DeviceRequest } from './records.js'
import type { WaitingDevice } from './requests.js'
import { shownUserCode } from './user-code.js'

/** The client of a request, if it may still use the grant. @throws OAuthError when its document cannot be read */
export async function confirmedClient(c: Context, { client_id }: DeviceRequest): Promise<Client | null> {
  const client = await c.clients.find(client_id, 'authorize', c)
  const is_usable = client !== null && client.revoked_at === null && mayUseDevices(c.realm, client)
  return is_usable ? client : null
}

export interface AskedDevice {
  user_code: string
  waiting: WaitingDevice
  client: Client
  signedIn: UserSession
}

/** @throws OAuthError `temporarily_unavailable` 429 */
export async function askDevice(
  c: Context,
  { user_code, waiting, client, signedIn }: AskedDevice,
): Promise<DeviceConfirmation> {
  const { session, user } = signedIn
  await throttleSession(c, session, 'device')
  const { request, user_code_hash } = waiting
  // The mark says what the user was shown: the client may change while the page is open.
  const confirmation_token = newSecret(c.random) + c.clients.mark(client)
  await c.storage.pending.put({
    kind: 'device_confirmation',
    pending_hash: sha256(confirmation_token),
    device_hash: request.pending_hash,
    user_code_hash,
    sid: session.sid,
    expires_at: request.code_expires_at,
  })
  const { scopes, resource, requested_at, address } = request
  const any_program = authMethods(client).includes('none')
  const { scopes: catalog, settings } = c.realm
  return {
    page: 'confirm',
    client,
    user,
    user_code: shownUserCode(user_code),
    scopes: shownScopes(any_program ? { ...catalog, hidden: NONE } : catalog, scopes),
    resources: resource === null ? [] : [resource],
    any_program,
    requested_at,
    address,
    is_other_address: isOtherAddress(c, address),
    max_lifetime: settings.tokens.offline_absolute,
    confirmation_token,
  }
}

const NONE: ReadonlySet<string> = new Set()

/** A network counts as one address. False where one of the two is not known. */
function isOtherAddress(c: Context, address: string | null): boolean {
  const own = c.peer === null ? c.address : null
  return own !== null && address !== null && addressKeys(own).address !== addressKeys(address).address
}
