/** The record of a remembered device: a browser in which the password of one account is enough for some days. */

/** The record of a remembered device. Times are epoch seconds. */
export interface RememberedDevice {
  /** 22 characters for 128 bits. */
  device_id: string
  sub: string
  /** For the account page: the browser and its system, as far as they are known, such as `Firefox, Linux`. */
  label: string
  /** The SHA-256 of the secret in the browser's cookie. */
  secret_hash: string
  /** That of the secret before the last renewal; null before the first one. */
  former_hash: string | null
  /** Of the user, when the device was added: a change of the account's credentials ends it. */
  credential_version: number
  created_at: number
  /** The time of the last renewal; null before the first one. */
  last_used_at: number | null
  expires_at: number
}

/** The remembered devices of one realm. As in `UserStore`; reads return expired ones too until they are purged. */
export interface RememberedDeviceStore {
  /** Those of the user, the oldest first. */
  list(sub: string): Promise<RememberedDevice[]>
  add(device: RememberedDevice): Promise<void>
  /**
   * ATOMIC. Replaces the secret: `former_hash` becomes `device.secret_hash`, if that is the stored `secret_hash`. One of several callers
   * that expect the same secret gets true.
   */
  renew(device: RememberedDevice, next: { secret_hash: string; last_used_at: number }): Promise<boolean>
  /** False when the user has no such device. */
  remove(sub: string, device_id: string): Promise<boolean>
}

/** The store of a realm. The deletion of a user deletes the user's devices. */
export type RememberedDevices = (realm: string) => RememberedDeviceStore
