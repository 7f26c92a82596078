/** The kinds of factors, each in a folder of its own, and what the pages need of them. */

import { ConfigError, type Realm, type ReplayStore, sha256 } from '@ostiary/core'
import {
  type IdentitySettings,
  MISSING_DEVICE_STORE,
  type SignInSettings,
  signInSettings,
} from '../settings.js'
import type { CodeAttempts } from '../sign-in/code-limits.js'
import type { FactorMethod, FactorParts } from '../sign-in/context.js'
import { createPendingSignIns } from '../sign-in/pending.js'
import type { Factors } from '../users/factor-store.js'
import type { RememberedDevices } from '../users/remembered-device-store.js'
import { acceptedHashes } from '../web/keyed-hash.js'
import { createSealer } from '../web/sealed.js'
import { createChallenges } from './passkey/challenge.js'
import { createPasskeyMethod } from './passkey/method.js'
import { passkeysFor } from './passkey/passkey.js'
import { createPasskeySignals } from './passkey/signal.js'
import { codesLeft, newRecoveryCodes } from './recovery/codes.js'
import { createRecoveryMethod } from './recovery/method.js'
import { createTotpMethod } from './totp/method.js'
import { TOTP_ENROLMENT_USE, TOTP_SECRET_USE } from './totp/totp-factor.js'

/** A kind that is turned off is not added any more. Accounts that have one are still asked for it: a stolen password must not be enough. */
const NOT_OFFERED = { enrolment: null, start: null }

interface FactorOptions {
  factors?: Factors
  remembered_devices?: RememberedDevices
  replays?: (realm: string) => ReplayStore
  settings?: (realm: string) => IdentitySettings
  secret: string
  previous_secret?: string
  code_attempts: CodeAttempts
  /** Epoch seconds. */
  now: () => number
}

/** The factors of a realm. Null without a store, and for a realm that offers none. */
export function createFactorParts(options: FactorOptions): ((realm: Realm) => FactorParts | null) | null {
  const { factors, remembered_devices, replays, settings = () => ({}), code_attempts, now } = options
  if (factors === undefined || replays === undefined) return null
  const methods: readonly FactorMethod[] = [
    createPasskeyMethod(createChallenges(acceptedHashes(options, 'passkey'))),
    createTotpMethod({
      sealer: createSealer(options, TOTP_SECRET_USE),
      enrolments: createSealer(options, TOTP_ENROLMENT_USE),
      attempts: code_attempts,
    }),
    createRecoveryMethod(code_attempts),
  ]
  const pending = createPendingSignIns(createSealer(options, 'pending'))
  const signals = createPasskeySignals(createSealer(options, 'passkey_signal'))
  const claim = (realm: Realm) => (id: string, expires_at: number) =>
    replays(realm.id).claim(sha256(`sign-in:${id}`), expires_at, now())
  const checked = new WeakMap<Realm, SignInSettings>()
  return (realm) => {
    const known = checked.get(realm) ?? signInSettings(realm, settings(realm.id))
    const days = known.remember_device
    if (days > 0 && remembered_devices === undefined) throw new ConfigError([MISSING_DEVICE_STORE])
    checked.set(realm, known)
    const allowed = methods.map((method) => (method.offered(known) ? method : { ...method, ...NOT_OFFERED }))
    if (allowed.every(({ enrolment }) => enrolment === null)) return null
    return {
      store: factors(realm.id),
      settings: known,
      methods: allowed,
      pending,
      newRecoveryCodes,
      recoveryCodesLeft: codesLeft,
      passkeysIn: (all) => passkeysFor(known.passkeys, all),
      signals,
      remembered: remembered_devices && days > 0 ? { store: remembered_devices(realm.id), days } : null,
      claim: claim(realm),
    }
  }
}
