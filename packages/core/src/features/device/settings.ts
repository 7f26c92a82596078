/** The key `oidc.clients.device_authorization`, and what follows from it. */

import * as z from 'zod'
import type { ProfileRow } from '../../util/profile-row.js'

export const deviceSettings = {
  device_authorization: z
    .enum(['off', 'operator', 'documents'])
    .default('off')
    .describe(
      'The device authorization grant (RFC 8628): for clients that operators make, or also for clients with metadata documents. Clients that registered themselves never have it',
    ),
}

/** Those of `oidc.clients` that say who may use the grant. */
export interface DeviceSettings {
  device_authorization: 'off' | 'operator' | 'documents'
}

export const hasDevices = ({ device_authorization }: DeviceSettings): boolean =>
  device_authorization !== 'off'

export const documentsMayUseDevices = ({ device_authorization }: DeviceSettings): boolean =>
  device_authorization === 'documents'

/** FAPI 2.0 permits no such grant: a stranger begins the request and lures the user to approve it. */
export const deviceConflict = ({ clients }: { clients: DeviceSettings }): ProfileRow => [
  'clients.device_authorization',
  clients.device_authorization,
  !hasDevices(clients),
  '"off"',
]

/** For the fields of a client that have no effect without the grant. */
export const NEEDS_DEVICES = {
  what: 'the device authorization grant is',
  key: 'oidc.clients.device_authorization to "operator"',
  is_on: ({ settings }: { settings: { clients: DeviceSettings } }): boolean => hasDevices(settings.clients),
}
