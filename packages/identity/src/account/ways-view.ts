/** What the account page shows of the ways to sign in. */

import { stateOf } from '@ostiary/webauthn'
import type { FactorView, WaysView } from '../pages/account-view.js'
import type { FactorParts } from '../sign-in/context.js'
import { enrolmentsOf, mayAdd } from '../sign-in/enrolment.js'
import type { LinksSignIn } from '../sign-in/extensions/seam.js'
import type { Factor } from '../users/factor-store.js'
import type { User } from '../users/user-store.js'
import { hasSecondFactor } from './fresh.js'
import { linkIsEnough } from './link-ways.js'

interface Account {
  user: User
  /** Whether the password is a way in. */
  has_password: boolean
  factors: readonly Factor[]
  /** For browsers with passkeys of the account. */
  signals: WaysView['signals']
  links: LinksSignIn
}

export function waysView(
  parts: FactorParts,
  { user, has_password, factors, signals, links }: Account,
): WaysView {
  // Where the realm requires a second step, and after a passkey, the account's own switch changes nothing.
  const is_free = parts.settings.second_factor !== 'required'
  const may_choose = is_free && has_password
  const recovery = factors.find(({ kind }) => kind === 'recovery')
  return {
    factors: factors.flatMap(viewOf),
    password_is_enough: may_choose && !user.second_step,
    link_is_enough: linkIsEnough({ factors: parts }, { user, links }),
    passkeys: parts.passkeysIn(factors).flatMap(viewOf),
    codes_left: recovery ? parts.recoveryCodesLeft(recovery) : null,
    kinds: mayAdd(parts, factors) ? enrolmentsOf(parts) : [],
    second_step: may_choose && hasSecondFactor(factors) ? user.second_step : null,
    signals,
  }
}

function viewOf({ factor_id, kind, label, created_at, last_used_at, state }: Factor): FactorView[] {
  if (kind === 'recovery') return []
  const synced = kind === 'passkey' ? (stateOf(state)?.backed_up ?? null) : null
  return [{ factor_id, kind, label, synced, created_at, last_used_at }]
}
