/** Stores a factor that a user has added. */

import type { Factor, FactorKind } from '../users/factor-store.js'
import type { User } from '../users/user-store.js'
import type { FactorContext, FactorParts } from './context.js'

/** Of one account, all kinds together. */
export const MAX_FACTORS = 20

/** The kinds that a user can add. */
export const enrolmentsOf = ({ methods }: FactorParts): FactorKind[] =>
  methods.filter(({ enrolment }) => enrolment !== null).map(({ kind }) => kind)

/** Recovery codes stand in for another factor: alone they are none. */
export const isAsked = ({ kind }: Factor): boolean => kind !== 'recovery'

/** Whether the user may add one after proofs of the account's own. With `invited`, a password alone must not add the first one. */
export const mayAdd = ({ settings }: FactorParts, factors: readonly Factor[]): boolean =>
  settings.enrolment === 'self' || factors.some(isAsked)

interface NewFactor {
  user: User
  /** Those that the account has. */
  factors: readonly Factor[]
  factor: Factor
}

/**
 * Stores the factor, and with the first one a set of recovery codes. An authenticator app turns on the second step: it is of no use without.
 * Null when the account has changed since it was read.
 * @returns The user as it is now; and the new recovery codes, to be shown once; null when the account has some.
 */
export async function addFactor(
  c: FactorContext,
  { user, factors, factor }: NewFactor,
): Promise<{ user: User; codes: string[] | null } | null> {
  const { store, newRecoveryCodes } = c.factors
  const { sub, credential_version } = user
  const set = factors.some(({ kind }) => kind === 'recovery') ? null : newRecoveryCodes(sub, c.now())
  const change = {
    sub,
    add: set === null ? [factor] : [factor, set.factor],
    ...(factor.kind === 'totp' && { second_step: true }),
  }
  if (!(await store.change(change, { credential_version, now: c.now() }))) return null
  c.emit({ type: 'factor.added', kind: factor.kind, sub })
  if (set !== null) c.emit({ type: 'recovery_codes.created', sub })
  const changed = { ...user, credential_version: credential_version + 1 }
  return { user: changed, codes: set === null ? null : set.codes }
}
