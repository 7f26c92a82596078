/** Which clients may use the device authorization grant. */

import { OAuthError } from '../../http/errors.js'
import type { RealmRules } from '../../realm/realm.js'
import type { Client } from '../../storage/storage.js'
import { DEVICE_CODE } from './names.js'
import { documentsMayUseDevices } from './settings.js'

/** A client that registered itself never may: any stranger can register one that looks like another. */
export const mayUseDevices = ({ settings }: RealmRules, { origin, grant_types }: Client): boolean =>
  grant_types.includes(DEVICE_CODE) &&
  (origin === 'operator' || (origin === 'metadata_document' && documentsMayUseDevices(settings.clients)))

/** @throws OAuthError `unauthorized_client` */
export function requireDeviceClient(realm: RealmRules, client: Client): void {
  if (mayUseDevices(realm, client)) return
  throw new OAuthError('unauthorized_client', 'This client may not use the device authorization grant', {
    reason: 'not_a_device_client',
  })
}
