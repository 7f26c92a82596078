/** The names that the device authorization grant adds (RFC 8628). */

/** A value of `grant_type` (RFC 8628 §3.4). */
export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

/** The page of the application (`Interactions`). */
export const DEVICE_PAGE = 'device'

/** RFC 8628 §3.5. */
export type DeviceErrorCode = 'authorization_pending' | 'slow_down' | 'expired_token'
