/** The record of a factor in tests. */

import { personTag } from '@ostiary/core'
import type { Factor } from '@ostiary/identity'

/** The id with this name of a factor of the user. */
export const factorId = (name: string, sub: string): string => `${name}-${personTag(sub)}`

/** A factor whose fields do not matter. */
export const factorRecord = (name: string, sub: string, changes: Partial<Factor> = {}): Factor => ({
  factor_id: factorId(name, sub),
  sub,
  kind: 'totp',
  label: 'Phone',
  created_at: 1_700_000_002,
  last_used_at: null,
  state: '0',
  data: {},
  ...changes,
})

/** A passkey of this RP ID, whose other data do not matter. */
export const passkeyRecord = (name: string, sub: string, rp_id: string): Factor =>
  factorRecord(name, sub, {
    kind: 'passkey',
    state: '0 1',
    data: {
      credential_id: 'AAAA',
      public_key: 'AAAA',
      algorithm: -7,
      aaguid: '00000000-0000-0000-0000-000000000000',
      rp_id,
      user_handle: 'AAAA',
      backup_eligible: true,
      transports: [],
    },
  })
