/** What the account page shows of the ways to sign in. */

import type { FactorView, WaysView } from '../pages/account-view.js'
import type { FactorParts } from '../sign-in/context.js'
import { enrolmentsOf } from '../sign-in/enrolment.js'
import { hasPassword } from '../sign-in/passwords-of.js'
import type { Factor } from '../users/factor-store.js'
import type { User } from '../users/user-store.js'
import { hasSecondFactor } from './fresh.js'

interface Account {
  user: User
  factors: readonly Factor[]
  /** Whether one was removed just now. */
  removed: boolean
}

export function waysView(parts: FactorParts, { user, factors, removed }: Account): WaysView {
  // Where the realm requires a second step, and after a passkey, the account's own switch changes nothing.
  const may_choose = parts.settings.second_factor !== 'required' && hasPassword({ factors: parts }, user)
  const recovery = factors.find(({ kind }) => kind === 'recovery')
  return {
    factors: factors.flatMap(viewOf),
    codes_left: recovery ? parts.recoveryCodesLeft(recovery) : null,
    kinds: enrolmentsOf(parts),
    second_step: may_choose && hasSecondFactor(factors) ? user.second_step : null,
    signal: removed ? parts.acceptedPasskeys(factors) : null,
  }
}

function viewOf({ factor_id, kind, label, created_at, last_used_at }: Factor): FactorView[] {
  return kind === 'recovery' ? [] : [{ factor_id, kind, label, created_at, last_used_at }]
}
