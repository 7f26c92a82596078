/** A factor from a file or from another system, with its secret sealed for the realm that gets it. */

import type { Factor } from '../users/factor-store.js'
import { createSealer, type SealerSecrets } from '../web/sealed.js'
import { newTotpFactor, openTotp, resealTotp, TOTP_SECRET_USE } from './totp/totp-factor.js'

/** Of `factorImport`. */
export interface FactorImportOptions extends SealerSecrets {
  /** The id of the realm for which the secrets were sealed. */
  sealed_for: string
  /** The id of the realm that gets the factors. */
  realm: string
}

/**
 * Returns a factor as the realm stores it: the secret of an authenticator app is sealed with `secret`, also when `previous_secret` or another
 * realm had it. Null for an app whose secret neither of both opens.
 */
export function factorImport(options: FactorImportOptions): (factor: Factor) => Factor | null {
  const { sealed_for, realm } = options
  const c = { realm: sealed_for, sealer: createSealer(options, TOTP_SECRET_USE) }
  return (factor) => {
    if (factor.kind !== 'totp') return factor
    if (openTotp(factor, c) === null) return null
    const data = resealTotp(factor, c, realm)
    return data === null ? factor : { ...factor, data }
  }
}

/**
 * Returns what makes the factor of an authenticator app that another system has set up, with 6 digits, SHA-1 and 30 seconds.
 * @param options `realm`: the id of the realm that gets the factors; `now`: epoch seconds.
 */
export function totpImport(
  options: SealerSecrets & { realm: string; now: number },
): (app: { sub: string; label: string; secret: Uint8Array }) => Factor {
  const c = { ...options, sealer: createSealer(options, TOTP_SECRET_USE) }
  return (app) => newTotpFactor({ ...app, step: 0 }, c)
}
