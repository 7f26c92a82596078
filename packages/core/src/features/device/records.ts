/** The stored records of device authorization requests (RFC 8628); records.ts has the others, and says what their values are. */

/** A device authorization request (RFC 8628 §3.1). `pending_hash` is that of its device code. */
export interface DeviceRequest {
  pending_hash: string
  expires_at: number
  kind: 'device'
  client_id: string
  /** The requested scopes and the client's default scopes. */
  scopes: string[]
  resource: string | null
  /** The thumbprint of the key that must poll (RFC 9449); null: any key, or none. */
  dpop_jkt: string | null
  /** The IP address that has sent the request; null when it is not known. */
  address: string | null
  requested_at: number
  /** From this time on both codes are expired. The record stays for longer, to tell that. */
  code_expires_at: number
}

/** The user code of a device authorization request, until the user answers. `pending_hash` is an HMAC of the code. */
export interface DeviceUserCode {
  pending_hash: string
  expires_at: number
  kind: 'device_user_code'
  /** The `pending_hash` of the request. */
  device_hash: string
}

/** The page that asks a user about a device, in one session. */
export interface PendingDeviceConfirmation {
  pending_hash: string
  expires_at: number
  kind: 'device_confirmation'
  device_hash: string
  /** The `pending_hash` of the user code; both are answered together. */
  user_code_hash: string
  sid: string
}

/** The user's answer to a device authorization request. */
export interface DeviceAnswer {
  pending_hash: string
  expires_at: number
  kind: 'device_answer'
  /** The session that has approved it, and the code of the grant that it made; null: the user has refused. */
  approved: { sid: string; code_hash: string } | null
}

/** What is stored about an authorization request of a device (RFC 8628). */
export type DeviceRecord = DeviceRequest | DeviceUserCode | PendingDeviceConfirmation | DeviceAnswer
