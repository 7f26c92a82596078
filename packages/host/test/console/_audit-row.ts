/** A row of the audit, as it is stored. */

import type { AuditRow } from '@ostiary/audit'

/** Rows with higher numbers are newer ones, and newer than those of a server. */
export const rowAt = (number: number, more: Partial<AuditRow>): AuditRow => ({
  realm: 'default',
  audit_id: `zzzzzzz${String(number).padStart(13, '0')}`,
  time: Math.floor(Date.now() / 1000),
  type: 'session.started',
  outcome: 'done',
  actor: 'stranger',
  sub: null,
  client_id: null,
  flow: null,
  refs: [],
  count: 1,
  data: '{}',
  private: null,
  salt: null,
  private_hash: null,
  seal: null,
  place: null,
  hash: null,
  ...more,
})
