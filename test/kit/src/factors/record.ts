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
