/**
 * Remembered devices: browsers that leave out the second step which a user has turned on. The secret of a browser changes at each use. So
 * one that comes a second time is a copy, or its owner's after a copy was used: both are asked for the second step, and the device ends.
 */

import { randomBytes } from 'node:crypto'
import { type Realm, sha256 } from '@ostiary/core'
import type { RememberedDevice } from '../users/remembered-device-store.js'
import type { User } from '../users/user-store.js'
import { pageCookie } from '../web/cookies.js'
import type { FactorContext, RememberedParts } from './context.js'
import { deviceLabel } from './device-label.js'

const MAX_DEVICES_PER_ACCOUNT = 20
const MAX_ACCOUNTS_PER_BROWSER = 5
/** Two pages of one browser may send the same secret, in seconds: the second one is asked for the step, and nothing ends. */
const GRACE_SECONDS = 30
/** 400 days, the longest time for which browsers keep a cookie: each entry ends in the store. */
const COOKIE_SECONDS = 400 * 86_400

/** For each account the id and the secret, the newest first. */
const cookie = pageCookie('ostiary_remembered', /^[\w-]{22}\.[\w-]{43}(?:~[\w-]{22}\.[\w-]{43}){0,4}$/)

interface Entry {
  device_id: string
  secret: string
}

const entriesOf = ({ request, realm }: FactorContext): Entry[] =>
  (cookie.read(request, realm)?.split('~') ?? []).map((text) => {
    const [device_id = '', secret = ''] = text.split('.')
    return { device_id, secret }
  })

function cookieOf(realm: Realm, entries: readonly Entry[]): string {
  const kept = entries.slice(0, MAX_ACCOUNTS_PER_BROWSER)
  const value = kept.map(({ device_id, secret }) => `${device_id}.${secret}`).join('~')
  return cookie.write(realm, value, kept.length === 0 ? 0 : COOKIE_SECONDS)
}

const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** Whether the device still counts for the account as it is now. */
const isLive = (device: RememberedDevice, { credential_version }: User, now: number): boolean =>
  now < device.expires_at && device.credential_version === credential_version

/** The devices of the account that are not asked for its second step. */
export const liveDevices = async ({ store }: RememberedParts, user: User, now: number) =>
  (await store.list(user.sub)).filter((device) => isLive(device, user, now))

interface Recognized {
  /** Whether the second step is left out. */
  remembered: boolean
  /** The cookie to set in any case. */
  cookies: string[]
}

export const UNKNOWN_DEVICE: Recognized = { remembered: false, cookies: [] }

/** Whether this browser leaves out the second step of the account, whose password is known to be right. Its secret is renewed. */
export async function recognizeDevice(c: FactorContext, user: User): Promise<Recognized> {
  const { remembered } = c.factors
  const entries = entriesOf(c)
  if (remembered === null || entries.length === 0) return UNKNOWN_DEVICE
  const devices = await remembered.store.list(user.sub)
  for (const entry of entries) {
    const device = devices.find(({ device_id }) => device_id === entry.device_id)
    if (device) return useDevice(c, { parts: remembered, user, device, entry, entries })
  }
  return UNKNOWN_DEVICE
}

interface Use {
  parts: RememberedParts
  user: User
  device: RememberedDevice
  entry: Entry
  entries: readonly Entry[]
}

async function useDevice(c: FactorContext, use: Use): Promise<Recognized> {
  const { parts, user, device, entry, entries } = use
  const others = entries.filter((one) => one !== entry)
  const now = c.now()
  const is_live = isLive(device, user, now)
  const secret_hash = sha256(entry.secret)
  if (is_live && secret_hash === device.secret_hash) {
    const secret = randomText(32)
    const next = { secret_hash: sha256(secret), last_used_at: now }
    if (!(await parts.store.renew(device, next))) return UNKNOWN_DEVICE
    const renewed = { device_id: device.device_id, secret }
    return { remembered: true, cookies: [cookieOf(c.realm, [renewed, ...others])] }
  }
  const is_parallel = secret_hash === device.former_hash && now - (device.last_used_at ?? 0) < GRACE_SECONDS
  if (is_parallel) return UNKNOWN_DEVICE
  if (is_live) c.emit({ type: 'remembered_device.copied', sub: user.sub })
  await parts.store.remove(user.sub, device.device_id)
  return { remembered: false, cookies: [cookieOf(c.realm, others)] }
}

/** Remembers this browser for the account after its second step. @returns The cookie to set. */
export async function rememberDevice(c: FactorContext, parts: RememberedParts, user: User): Promise<string> {
  const { sub, credential_version } = user
  const now = c.now()
  const entries = entriesOf(c)
  const devices = await parts.store.list(sub)
  const isHere = ({ device_id }: RememberedDevice) => entries.some((one) => one.device_id === device_id)
  const kept = devices
    .filter((one) => isLive(one, user, now) && !isHere(one))
    .slice(1 - MAX_DEVICES_PER_ACCOUNT)
  for (const device of devices) if (!kept.includes(device)) await parts.store.remove(sub, device.device_id)
  const entry = { device_id: randomText(16), secret: randomText(32) }
  await parts.store.add({
    device_id: entry.device_id,
    sub,
    label: deviceLabel(c.request),
    secret_hash: sha256(entry.secret),
    former_hash: null,
    credential_version,
    created_at: now,
    last_used_at: null,
    expires_at: now + parts.days * 86_400,
  })
  c.emit({ type: 'remembered_device.added', sub })
  const others = entries.filter(({ device_id }) => devices.every((one) => one.device_id !== device_id))
  return cookieOf(c.realm, [entry, ...others])
}
