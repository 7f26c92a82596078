/** The record of an authenticator app, and the enrolment of one. */

import { randomBytes } from 'node:crypto'
import { personTag } from '@ostiary/core'
import { acceptedStep, newTotpSecret } from '@ostiary/totp'
import type { Factor } from '../../users/factor-store.js'
import type { Sealer } from '../../web/sealed.js'

/** The `use` of the sealer of the secrets in `Factor.data`. */
export const TOTP_SECRET_USE = 'totp'
/** The `use` of the sealer of an enrolment. */
export const TOTP_ENROLMENT_USE = 'totp-enrolment'
/** How long an enrolment is good, in seconds. */
const ENROLMENT_SECONDS = 600

export interface TotpContext {
  /** Of the use {@link TOTP_SECRET_USE}. */
  sealer: Sealer
  /** The realm's id. */
  realm: string
  /** Epoch seconds. */
  now: number
}

export interface NewTotp {
  sub: string
  /** The name that the user sees. */
  label: string
  secret: Uint8Array
  /** The step of the code with which the user has shown that the app works ({@link acceptedStep}): that code counts as used. */
  step: number
}

/** A new factor of the kind `totp`. Its `data` has the sealed secret, its `state` the last accepted step. */
export function newTotpFactor({ sub, label, secret, step }: NewTotp, c: TotpContext): Factor {
  const factor_id = randomBytes(16).toString('base64url') + personTag(sub)
  const sealed = c.sealer.seal(base64url(secret), contextOf(c, { sub, factor_id }))
  return {
    factor_id,
    sub,
    kind: 'totp',
    label,
    created_at: c.now,
    last_used_at: null,
    state: String(step),
    data: { secret: sealed },
  }
}

/**
 * The state after the use of this code, for `FactorStore.use` with `factor.state` as the expected one, which lets one of several parallel
 * uses succeed. Null for a wrong or used code, and for a factor of another kind or whose secret does not open.
 */
export function checkTotp(factor: Factor, code: string, c: TotpContext): { next_state: string } | null {
  const opened = openTotp(factor, c)
  if (opened === null || !/^\d{1,15}$/.test(factor.state)) return null
  const step = acceptedStep(opened.secret, code, { now: c.now, last_step: Number(factor.state) })
  return step === null ? null : { next_state: String(step) }
}

/** The secret of a factor; `is_current` is false when the previous secret of the provider has sealed it. Null when it does not open. */
export function openTotp(
  factor: Factor,
  c: Pick<TotpContext, 'sealer' | 'realm'>,
): { secret: Buffer; is_current: boolean } | null {
  const sealed = factor.data.secret
  if (factor.kind !== 'totp' || typeof sealed !== 'string') return null
  const opened = c.sealer.open(sealed, contextOf(c, factor))
  if (typeof opened?.value !== 'string') return null
  return { secret: Buffer.from(opened.value, 'base64url'), is_current: opened.is_current }
}

/**
 * The `data` of the factor with its secret sealed anew, for `FactorStore.reseal`. Null when the current secret of the provider has sealed it
 * for the realm, and when it does not open.
 * @param realm The id of the realm that gets the factor; that of the context when absent.
 */
export function resealTotp(
  factor: Factor,
  c: Pick<TotpContext, 'sealer' | 'realm'>,
  realm = c.realm,
): Factor['data'] | null {
  const opened = openTotp(factor, c)
  if (opened === null || (opened.is_current && realm === c.realm)) return null
  return { ...factor.data, secret: c.sealer.seal(base64url(opened.secret), contextOf({ realm }, factor)) }
}

const contextOf = ({ realm }: Pick<TotpContext, 'realm'>, factor: Pick<Factor, 'sub' | 'factor_id'>) => [
  realm,
  factor.sub,
  factor.factor_id,
]

/** The session in which a user enrols an app. */
export interface EnrolmentSession {
  sub: string
  sid: string
}

/** The context of an enrolment. The sealer is of the use {@link TOTP_ENROLMENT_USE}. */
export type EnrolmentContext = TotpContext

/** A new secret that is not active yet, and the text of a hidden form field that carries it until the user has typed the first code. */
export function newEnrolment(
  session: EnrolmentSession,
  c: EnrolmentContext,
): { secret: Buffer; sealed: string } {
  const secret = newTotpSecret()
  const value = { secret: base64url(secret), at: c.now }
  return { secret, sealed: c.sealer.seal(value, [c.realm, session.sub, session.sid]) }
}

/** The secret of an enrolment of this user and session that is not older than 10 minutes; otherwise null. */
export function readEnrolment(
  sealed: string,
  session: EnrolmentSession,
  c: EnrolmentContext,
): { secret: Buffer } | null {
  const opened = c.sealer.open(sealed, [c.realm, session.sub, session.sid])
  if (opened === null) return null
  const enrolment = opened.value as { secret: string; at: number }
  if (c.now - enrolment.at > ENROLMENT_SECONDS) return null
  return { secret: Buffer.from(enrolment.secret, 'base64url') }
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
