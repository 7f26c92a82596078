/** Removes factors of a user, for operators. */

import type { SignInSettings } from '../settings.js'
import { isAsked } from '../sign-in/enrolment.js'
import type { Factor, FactorStore } from '../users/factor-store.js'
import type { User } from '../users/user-store.js'
import { passkeysFor } from './passkey/passkey.js'

/** Which factors are removed: one, or all, with the recovery codes. */
export type FactorSelection = { factor_id: string } | 'all'

/**
 * Why nothing is removed. `last_way_in`: the user has no password, or the realm has none, and without these passkeys the user could not sign
 * in. `no_factor`: the user has no such factor.
 */
export type FactorRemovalFault = 'last_way_in' | 'no_factor'

/** What an operator asks for, and the settings of the realm, which say what a way to sign in is. */
export interface FactorRemovalRequest {
  selection: FactorSelection
  settings: Pick<SignInSettings, 'password' | 'passkeys'>
}

/** What a removal does. */
export interface FactorRemoval {
  /** Passkeys, authenticator apps, and the set of recovery codes. */
  removed: readonly Factor[]
  /** Whether each sign-in asks for a second step afterwards. */
  second_step: boolean
}

/**
 * What the removal of these factors of the user does. With the last passkey or app, the recovery codes are removed too, and the user's switch
 * for a second step is turned off.
 */
export function planFactorRemoval(
  user: User,
  factors: readonly Factor[],
  { selection, settings }: FactorRemovalRequest,
): FactorRemoval | FactorRemovalFault {
  const isChosen = (factor: Factor) =>
    selection === 'all' || (isAsked(factor) && factor.factor_id === selection.factor_id)
  const chosen = factors.filter(isChosen)
  const left = factors.filter((factor) => !isChosen(factor))
  const has_password = settings.password && user.password_hash !== null
  const waysIn = (some: readonly Factor[]) => passkeysFor(settings.passkeys, some).length
  if (!has_password && waysIn(chosen) > 0 && waysIn(left) === 0) return 'last_way_in'
  const is_last = !left.some(isAsked)
  const removed = is_last && chosen.length > 0 ? factors : chosen
  const second_step = user.second_step && !is_last
  const is_nothing = removed.length === 0 && second_step === user.second_step
  return is_nothing ? 'no_factor' : { removed, second_step }
}

/** Removes them, if the user and the factors are those of the plan. False when the user was changed meanwhile: plan again. */
export function removeFactors(
  store: FactorStore,
  { sub, credential_version, second_step }: Pick<User, 'sub' | 'credential_version' | 'second_step'>,
  plan: FactorRemoval & { now: number },
): Promise<boolean> {
  const change = {
    sub,
    remove: plan.removed.map(({ factor_id }) => factor_id),
    ...(plan.second_step !== second_step && { second_step: plan.second_step }),
  }
  return store.change(change, { credential_version, now: plan.now })
}
