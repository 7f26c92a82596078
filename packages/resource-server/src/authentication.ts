/** Step-up authentication: what an operation requires of the user's sign-in (RFC 9470). */

import { BearerError } from './bearer.js'
import type { Principal } from './principal.js'
import { isScope } from './scopes.js'

/** What an operation requires of the user's authentication (RFC 9470 §3): at least one of both. */
export interface AuthenticationRequirement {
  /** The token's `acr` must be one of these, or stand above one of them in `acr_order`. The preferred value first. */
  acr_values?: readonly string[]
  /** The largest time since the user authenticated, in seconds. */
  max_age?: number
}

/** How an authentication is judged. */
export interface AuthenticationRules {
  /** The values of `acr` that are ordered, the weakest first. Without it, each value stands for itself alone. */
  acr_order?: readonly string[]
  /** Epoch seconds. */
  now: number
}

/** A value of `acr` has no space, and nothing that a challenge must escape: the characters of a scope. */
const isAcrList = (value: unknown): boolean => Array.isArray(value) && value.every(isScope)

/** The rule of the option `acr_order`. */
export const ACR_ORDER_RULE = {
  isValid: (value: unknown): boolean =>
    value === undefined ||
    (isAcrList(value) && new Set(value as string[]).size === (value as string[]).length),
  advice: 'list values of acr, the weakest first, each once',
}

/** @throws TypeError for a requirement that no token could meet, or that requires nothing. */
export function requireValidRequirement({ acr_values, max_age }: AuthenticationRequirement): void {
  if (acr_values === undefined && max_age === undefined)
    throw new TypeError('checkAuthentication: give acr_values, max_age, or both')
  if (acr_values !== undefined && !(isAcrList(acr_values) && acr_values.length > 0))
    throw new TypeError('acr_values: list at least one value of acr, without spaces')
  if (max_age !== undefined && !(Number.isSafeInteger(max_age) && max_age >= 0))
    throw new TypeError('max_age: give a whole number of seconds')
}

/** Whether an `acr` is one of the values, or stands above one of them in the order. */
export function satisfiesAcr(
  acr: unknown,
  values: readonly string[],
  order: readonly string[] = [],
): boolean {
  if (typeof acr !== 'string') return false
  const rank = order.indexOf(acr)
  return values.some((value) => value === acr || (order.includes(value) && rank > order.indexOf(value)))
}

/** Why the authentication behind a token does not meet the requirement, or null. */
export function authenticationError(
  principal: Principal,
  { acr_values, max_age }: AuthenticationRequirement,
  { acr_order, now }: AuthenticationRules,
): BearerError | null {
  const insufficient = (reason: string) => new BearerError('insufficient_user_authentication', reason)
  if (principal.kind === 'client') return insufficient('no_user')
  const { acr, auth_time } = principal.currentAccessToken().claims
  if (acr_values !== undefined && !satisfiesAcr(acr, acr_values, acr_order))
    return insufficient('insufficient_acr')
  const is_recent = max_age === undefined || (typeof auth_time === 'number' && now - auth_time <= max_age)
  return is_recent ? null : insufficient('authentication_too_old')
}
