/** Checks a code of a factor within the limits. */

import type { FactorRefusal } from '../events.js'
import type { CodeAttempts } from './code-limits.js'
import type { FactorContext, ProofAnswer, RefusedProof, Step } from './context.js'
import type { SignInProof } from './proofs.js'

/** What a right code changes: the state of a factor, compared and set. */
interface CodeUse {
  factor_id: string
  state: string
  next_state: string
}

export interface CodeCheck {
  kind: 'totp' | 'recovery'
  /** Null when the code is wrong. */
  find(): CodeUse | null
  /** Why a code is refused that no factor accepts. */
  wrong: { reason: FactorRefusal; text: string }
  /** The sentence about a code that another request has used at the same moment. */
  reused: string
}

/**
 * The attempt is counted before the code is checked, so that parallel guesses cannot exceed a limit. It stays counted when the code is
 * wrong.
 */
export async function checkCode(
  c: FactorContext,
  attempts: CodeAttempts,
  { step: { user }, check }: { step: Step; check: CodeCheck },
): Promise<ProofAnswer> {
  const device = c.devices.find(c.request, c.realm, user)
  const reservation = await attempts.reserve(
    { realm: c.realm.id, username_key: user.username_key, device },
    c.now(),
  )
  if ('limit' in reservation) return throttled(c, reservation)
  const use = check.find()
  if (use === null) return { ...check.wrong, status: 422 }
  await reservation.release()
  const { factor_id, state, next_state } = use
  const used = await c.factors.store.use(factor_id, state, { state: next_state, last_used_at: c.now() })
  if (!used) return { reason: 'code_reused', text: check.reused, status: 422 }
  const proof: SignInProof = { kind: check.kind, at: c.now() }
  return { proof }
}

const throttled = (
  c: FactorContext,
  { limit, retry_after }: Required<Pick<RefusedProof, 'limit' | 'retry_after'>>,
): RefusedProof => ({
  reason: 'throttled',
  text: c.language.text('account.throttled', { count: Math.ceil(retry_after / 60) }),
  status: 429,
  limit,
  retry_after,
})
