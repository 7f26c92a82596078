/** What a user has proved in a sign-in, and what it is worth: the level, and the methods for tokens. */

import type { Realm } from '@ostiary/core'

/** One proof. `at` is in epoch seconds. */
export type SignInProof =
  | { kind: 'password' | 'totp' | 'recovery'; at: number }
  /**
   * `by`: the name of the extension. `second_factor`: it counts together with one of this server alone. `marks`: by which the session is
   * found again.
   */
  | { kind: 'upstream'; at: number; by: string; second_factor: boolean; marks: readonly string[] }
  /** With user verification; one that is backup-eligible can be on several devices. */
  | { kind: 'passkey'; at: number; backup_eligible: boolean }

export type Level = 1 | 2

/** A passkey with user verification is two factors by itself: what the user has, and a PIN or a finger. */
export const levelOf = (proofs: readonly SignInProof[]): Level =>
  proofs.some(({ kind }) => kind === 'passkey') || new Set(proofs.map(({ kind }) => kind)).size > 1 ? 2 : 1

/** `amr` (RFC 8176 §2). */
export function amrOf(proofs: readonly SignInProof[]): string[] {
  const methods = proofs.flatMap(methodsOf)
  return [...new Set(levelOf(proofs) === 2 ? [...methods, 'mfa'] : methods)]
}

function methodsOf(proof: SignInProof): string[] {
  if (proof.kind === 'password') return ['pwd']
  if (proof.kind === 'passkey') return [proof.backup_eligible ? 'swk' : 'hwk', 'user']
  // RFC 8176 has no value for another provider.
  return proof.kind === 'upstream' ? [] : ['otp']
}

/** The `acr` of a level. */
export const acrOf = ({ settings }: Realm, level: Level): string =>
  settings.acr_values_supported[level === 2 ? 1 : 0]

/** The level of a session, by its `amr`. */
export const levelOfSession = ({ amr }: { amr: readonly string[] }): Level => (amr.includes('mfa') ? 2 : 1)
