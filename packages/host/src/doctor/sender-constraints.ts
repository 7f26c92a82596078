/** Settings of DPoP: valid, and probably not what the operator wants. */

import type { OidcSettings } from '@ostiary/core'
import type { Finding } from './finding.js'
import { type RealmSettings, type Remark, realmNotes } from './realm-settings.js'

/** Seconds by which the clocks of clients, in browsers and on phones, commonly differ from a server's. */
const USUAL_CLOCK_OFFSET = 10
/** Seconds that a proof may need from the client to the server, besides that. */
const MIN_PROOF_AGE = 30

/** @returns Each remark once, with the realms that it is about. */
export const checkSenderConstraints = (realms: readonly RealmSettings[]): Finding[] =>
  realmNotes(realms, remarks)

function remarks({ dpop }: OidcSettings): Remark[] {
  if (!dpop.enabled)
    return dpop.nonce === 'required'
      ? [
          {
            message: 'oidc.dpop.nonce has no effect, because oidc.dpop.enabled is false',
            advice: 'Set oidc.dpop.enabled to true, or remove the key.',
          },
        ]
      : []
  const rows: [applies: boolean, key: string][] = [
    [dpop.max_age < MIN_PROOF_AGE, 'max_age'],
    [dpop.max_future < USUAL_CLOCK_OFFSET, 'max_future'],
  ]
  return rows
    .filter(([applies]) => applies)
    .map(([, key]) => ({
      message: `oidc.dpop.${key} is so small that proofs of clients whose clock is a little wrong are refused`,
      advice: `Set ${key === 'max_age' ? MIN_PROOF_AGE : USUAL_CLOCK_OFFSET} seconds or more; a nonce limits the age of a proof too.`,
    }))
}
