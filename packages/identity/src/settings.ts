/** The settings of the sign-in that may differ from realm to realm. */

import { type ConfigFault, type Realm, refuseFaults } from '@ostiary/core'

/** What a realm's sign-in offers. It takes effect where `createIdentity` has `factors`. */
export interface IdentitySettings {
  /** Passkeys (WebAuthn Level 3). */
  passkeys?: {
    /** True when absent, unless the issuer's host is an IP address: browsers have no passkeys there. */
    enabled?: boolean
    /** The relying party ID: the issuer's host when absent, or a parent domain of it. Passkeys of another one stop working. */
    rp_id?: string
  }
  /**
   * `optional`: users may add an authenticator app, whose code the sign-in asks for after the password. `required`: everybody adds a passkey
   * or an app at the next sign-in. `off` when absent.
   */
  second_factor?: 'off' | 'optional' | 'required'
  password?: {
    /** False: users sign in with passkeys alone, which must be enabled; no stored password is accepted. True when absent. */
    enabled?: boolean
  }
  /** Who adds the first passkey or app of an account. `self` when absent: the user. `invited`: the user, with a link of an operator. */
  enrolment?: 'self' | 'invited'
  /** For how many days a browser leaves out the second step, after one with the box for it: 0 to 90; 0 when absent. */
  remember_device?: number
}

/** The settings of one realm, with their defaults. */
export interface SignInSettings {
  /** Null: there are no passkeys. */
  passkeys: { rp_id: string } | null
  second_factor: 'off' | 'optional' | 'required'
  /** Whether users sign in with passwords. */
  password: boolean
  enrolment: 'self' | 'invited'
  /** In days. 0: no device is remembered. */
  remember_device: number
}

/** @throws ConfigError when the settings do not fit the issuer. */
export function signInSettings(
  { issuer }: Pick<Realm, 'issuer'>,
  settings: IdentitySettings,
): SignInSettings {
  const { passkeys = {}, second_factor = 'off', password = {}, enrolment = 'self' } = settings
  const { remember_device = 0 } = settings
  const { hostname } = new URL(issuer)
  const { enabled = !isAddress(hostname), rp_id = hostname } = passkeys
  const faults = settingsFaults({ issuer }, settings)
  refuseFaults(faults)
  return {
    passkeys: enabled ? { rp_id } : null,
    second_factor,
    password: password.enabled !== false,
    enrolment,
    remember_device,
  }
}

/** What is wrong with the settings for this issuer; the paths are those of `IdentitySettings`. */
export function settingsFaults({ issuer }: Pick<Realm, 'issuer'>, settings: IdentitySettings): ConfigFault[] {
  const { passkeys = {}, second_factor = 'off', password = {}, enrolment = 'self' } = settings
  const { hostname } = new URL(issuer)
  const { enabled = !isAddress(hostname), rp_id = hostname } = passkeys
  const faults: ConfigFault[] = []
  if (enabled && isAddress(hostname))
    faults.push({
      path: 'passkeys.enabled',
      message: `browsers have no passkeys for an IP address, and the issuer is ${issuer}: use a host name, or turn passkeys off`,
    })
  if (!isAddress(hostname) && !isHostOrParent(rp_id, hostname))
    faults.push({
      path: 'passkeys.rp_id',
      message: `${JSON.stringify(rp_id)} is not ${hostname}, the host of the issuer, and no parent domain of it`,
    })
  if (!['off', 'optional', 'required'].includes(second_factor))
    faults.push({ path: 'second_factor', message: 'give "off", "optional" or "required"' })
  if (password.enabled === false && !enabled)
    faults.push({
      path: 'password.enabled',
      message:
        'without passwords users need passkeys, and passkeys.enabled is false, its default on an issuer that is an IP address: turn one of the two on',
    })
  if (!['self', 'invited'].includes(enrolment))
    faults.push({ path: 'enrolment', message: 'give "self" or "invited"' })
  if (enrolment === 'invited' && !enabled && second_factor === 'off')
    faults.push({
      path: 'enrolment',
      message:
        '"invited" is about the first passkey or authenticator app of an account, and the realm has neither: set passkeys.enabled to true or second_factor to "optional" or "required", or remove enrolment',
    })
  return [...faults, ...rememberedFaults(settings)]
}

/** Of a realm that remembers devices, where `createIdentity` has no store for them. */
export const MISSING_DEVICE_STORE: ConfigFault = {
  path: 'remembered_devices',
  message: 'missing; the setting remember_device needs it: give a store of remembered devices',
}

const MAX_REMEMBERED_DAYS = 90

function rememberedFaults({ remember_device, second_factor, password }: IdentitySettings): ConfigFault[] {
  if (remember_device === undefined || remember_device === 0) return []
  const path = 'remember_device'
  if (!Number.isInteger(remember_device) || remember_device < 0 || remember_device > MAX_REMEMBERED_DAYS)
    return [{ path, message: `give a whole number of days from 0 to ${MAX_REMEMBERED_DAYS}` }]
  if (second_factor === 'required' || password?.enabled === false)
    return [
      {
        path,
        message: `it leaves out the step that users turn on themselves, and ${second_factor === 'required' ? 'second_factor is "required": set that to "optional"' : 'password.enabled is false, so that there is no password before it: remove that key'}, or remove remember_device`,
      },
    ]
  return []
}

/** A single label, such as `com`, is a parent that browsers refuse; `localhost` is a host. */
const isHostOrParent = (rp_id: string, hostname: string): boolean =>
  rp_id === hostname || (rp_id.includes('.') && hostname.endsWith(`.${rp_id}`))

/** URLs write an IPv6 address in brackets, and every form of an IPv4 address with dots. */
const isAddress = (hostname: string): boolean => hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
