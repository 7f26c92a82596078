/**
 * What the capabilities add to the layers below them: reasons, events, records, names and settings. `features.ts` has what they do, and
 * `types.ts` the types that applications and adapters use. A new capability is a folder, and its line in these files.
 */

import { reasons } from '../util/reason.js'
import { CLIENT_KEYS_REASONS } from './client-keys/reasons.js'
import type { DeviceEvent } from './device/events.js'
import { DEVICE_CODE, DEVICE_PAGE, type DeviceErrorCode } from './device/names.js'
import { DEVICE_REASONS } from './device/reasons.js'
import type { DeviceRecord } from './device/records.js'
import {
  type DeviceSettings,
  deviceConflict,
  deviceSettings,
  documentsMayUseDevices,
} from './device/settings.js'
import { EXCHANGE_REASONS } from './exchange/reasons.js'
import { exchangeSettings, TOKEN_EXCHANGE } from './exchange/settings.js'
import type { LogoutEvent } from './logout/events.js'
import { LOGOUT_REASONS } from './logout/reasons.js'
import type { ParEvent } from './par/events.js'
import { PAR_REASONS } from './par/reasons.js'
import type { RegistrationEvent } from './registration/events.js'

export { NEEDS_DEVICES } from './device/settings.js'

/** Of the catalog of refusals. */
export const FEATURE_REASONS = reasons({
  ...PAR_REASONS,
  ...LOGOUT_REASONS,
  ...CLIENT_KEYS_REASONS,
  ...EXCHANGE_REASONS,
  ...DEVICE_REASONS,
})

/** Keys of `oidc.clients`. */
export const FEATURE_CLIENT_SETTINGS = { ...deviceSettings, ...exchangeSettings }

export type FeatureClientSettings = DeviceSettings

/** Values of `grant_type`. */
export const FEATURE_GRANT_TYPES = [TOKEN_EXCHANGE, DEVICE_CODE] as const

/** The grant types that a client may give in its metadata document, beside those of the code flow. */
export const grantTypesOfDocuments = (settings: FeatureClientSettings): readonly string[] =>
  documentsMayUseDevices(settings) ? [DEVICE_CODE] : []

/** Settings that a profile of high security forbids (FAPI 2.0). */
export const FEATURE_CONFLICTS = [deviceConflict]

/** The pages of the application (`types.ts`). */
export const FEATURE_PAGES = [DEVICE_PAGE]

export type FeatureErrorCode = DeviceErrorCode

export type FeatureRouteName =
  | 'oidc.par'
  | 'oidc.register'
  | 'oidc.userinfo'
  | 'oidc.logout'
  | 'oidc.introspect'
  | 'oidc.revoke'
  | 'oidc.device-authorization'
  | 'oidc.device'

export type FeatureEvent = ParEvent | RegistrationEvent | LogoutEvent | DeviceEvent

/** Records of the store of one-time tokens. */
export type FeatureRecord = DeviceRecord
