import type { Pending } from '@ostiary/core'
import { LATER, NOW } from './records.js'

/** The four records of a device authorization request. */
export const deviceRecords = (id: (name: string) => string): Pending[] => [
  {
    kind: 'device',
    pending_hash: id('device'),
    expires_at: LATER,
    client_id: 'client',
    scopes: ['openid', 'read'],
    resource: null,
    dpop_jkt: null,
    address: '2001:db8::1',
    requested_at: NOW,
    code_expires_at: NOW + 600,
  },
  { kind: 'device_user_code', pending_hash: id('user-code'), expires_at: LATER, device_hash: id('device') },
  {
    kind: 'device_confirmation',
    pending_hash: id('confirmation'),
    expires_at: LATER,
    device_hash: id('device'),
    user_code_hash: id('user-code'),
    sid: 'sid',
  },
  {
    kind: 'device_answer',
    pending_hash: id('device-answer'),
    expires_at: LATER,
    approved: { sid: 'sid', code_hash: id('code') },
  },
]
