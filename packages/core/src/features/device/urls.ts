import type { Realm } from '../../realm/realm.js'

export const DEVICE_AUTHORIZATION_PATH = '/oauth/device_authorization'
/** Where users enter the code of a device. */
export const DEVICE_PATH = '/device'

/** The device authorization endpoint. */
export const deviceEndpoint = ({ issuer }: Realm): string => issuer + DEVICE_AUTHORIZATION_PATH

/** The `verification_uri`, where the user enters the code. */
export const devicePageUrl = ({ issuer }: Realm): string => issuer + DEVICE_PATH
