/**
 * Device authorization requests: four records of the store of one-time tokens, none of which is ever changed.
 *
 * | record | its hash is of | it is stored by |
 * | --- | --- | --- |
 * | `device` | the device code | the request |
 * | `device_user_code` | the user code, with a key | the request; the answer of the user takes it, so that there is one |
 * | `device_confirmation` | the token of the page that asks | that page, for one session |
 * | `device_answer` | the hash of the device code | the answer |
 *
 * Neither code can be derived from the record of the other.
 */

import { allKeys } from '../../crypto/secrets.js'
import type { Context } from '../../realm/context.js'
import { oneTimeHash } from '../../request/one-time-token.js'
import { newSecret, sha256 } from '../../util/secret.js'
import type { DeviceAnswer, DeviceRequest } from './records.js'
import { newUserCode } from './user-code.js'

/** Seconds that a code is valid, and that the user has to answer. */
export const DEVICE_CODE_LIFETIME = 600
/** Seconds for which an expired request stays known, so that the device is told that its code has expired. */
const EXPIRED_SECONDS = 600

/** What a device has asked for. */
export type AskedDevice = Pick<DeviceRequest, 'client_id' | 'scopes' | 'resource' | 'dpop_jkt' | 'address'>

/** The codes of a new request. */
export interface DeviceCodes {
  device_code: string
  user_code: string
}

export async function storeDeviceRequest(c: Context, asked: AskedDevice): Promise<DeviceCodes> {
  const device_code = newSecret(c.random)
  const now = c.now()
  const code_expires_at = now + DEVICE_CODE_LIFETIME
  const request: DeviceRequest = {
    kind: 'device',
    pending_hash: sha256(device_code),
    ...asked,
    requested_at: now,
    code_expires_at,
    expires_at: code_expires_at + EXPIRED_SECONDS,
  }
  await c.storage.pending.put(request)
  const user_code = await storeUserCode(c, request)
  return { device_code, user_code }
}

/** A code that another request has is stored for that one: another code is made then. */
async function storeUserCode(
  c: Context,
  { pending_hash: device_hash, code_expires_at: expires_at }: DeviceRequest,
): Promise<string> {
  for (;;) {
    const user_code = newUserCode(c.random)
    const [pending_hash = ''] = userCodeHashes(c, user_code)
    if (await c.storage.pending.put({ kind: 'device_user_code', pending_hash, device_hash, expires_at }))
      return user_code
  }
}

/** With the key of the current secret, then with that of the previous one. */
const userCodeHashes = (c: Context, user_code: string): string[] =>
  allKeys(c.secrets).map(({ requests }) => c.hashes.hmac(requests, `user code ${c.realm.id} ${user_code}`))

/** A request that waits for its answer, and the hash of its user code. */
export interface WaitingDevice {
  request: DeviceRequest
  user_code_hash: string
}

/**
 * Null for a code that is unknown, expired or answered.
 * @param user_code Null: a text that can be no code. It is looked up too, so that the answer takes as long.
 */
export async function findUserCode(c: Context, user_code: string | null): Promise<WaitingDevice | null> {
  const hashes = userCodeHashes(c, user_code ?? '')
  const found = await Promise.all(hashes.map((hash) => c.storage.pending.find(hash)))
  const record = found.find((one) => one !== null) ?? null
  if (record?.kind !== 'device_user_code' || record.expires_at <= c.now()) return null
  return waitingDevice(c, { user_code_hash: record.pending_hash, device_hash: record.device_hash })
}

/** Null when the request has expired. */
export async function waitingDevice(
  c: Context,
  { user_code_hash, device_hash }: { user_code_hash: string; device_hash: string },
): Promise<WaitingDevice | null> {
  const request = await c.storage.pending.find(device_hash)
  return request?.kind === 'device' && request.code_expires_at > c.now() ? { request, user_code_hash } : null
}

const answerHash = (device_hash: string): string => sha256(`device answer ${device_hash}`)

/** True for the first answer only: from then on the user code is unknown. */
export const claimAnswer = async (c: Context, { user_code_hash }: WaitingDevice): Promise<boolean> =>
  (await c.storage.pending.take(user_code_hash)) !== null

/** @param approved Null: the user has refused. */
export async function storeAnswer(
  c: Context,
  { pending_hash: device_hash, expires_at }: DeviceRequest,
  approved: DeviceAnswer['approved'],
): Promise<void> {
  const pending_hash = answerHash(device_hash)
  await c.storage.pending.put({ kind: 'device_answer', pending_hash, approved, expires_at })
}

/** A request as its device polls for it. */
export interface PolledDevice {
  request: DeviceRequest
  /** Null while the user has not answered. */
  answer: DeviceAnswer | null
}

/** Null for a device code that is unknown. */
export async function findDeviceCode(c: Context, device_code: string): Promise<PolledDevice | null> {
  const device_hash = oneTimeHash(device_code)
  if (device_hash === null) return null
  const hashes = [device_hash, answerHash(device_hash)]
  const [request, answer] = await Promise.all(hashes.map((hash) => c.storage.pending.find(hash)))
  if (request?.kind !== 'device') return null
  return { request, answer: answer?.kind === 'device_answer' ? answer : null }
}
