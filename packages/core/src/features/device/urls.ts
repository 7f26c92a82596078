import { PATHS } from '../../http/paths.js'
import type { Realm } from '../../realm/realm.js'

/** The device authorization endpoint. */
export const deviceEndpoint = ({ issuer }: Realm): string => issuer + PATHS.device_authorization

/** The `verification_uri`, where the user enters the code. */
export const devicePageUrl = ({ issuer }: Realm): string => issuer + PATHS.device
