/** The texts of these pages. */

import { KEYS } from './keys.js'
import { MAIL } from './mail.js'
import { ROLES } from './roles.js'

export const TEXTS = {
  word: { action: ['Action', 'Aktion', 'Action'] },
  done: { ...KEYS.done, ...ROLES.done, ...MAIL.done },
  keys: KEYS.keys,
  key: KEYS.key,
  state: KEYS.state,
  rotate: KEYS.rotate,
  revoke: KEYS.revoke,
  roles: ROLES.roles,
  role: ROLES.role,
  grant: ROLES.grant,
  take: ROLES.take,
  stays: ROLES.stays,
  mail: MAIL.mail,
  test: MAIL.test,
  reason: MAIL.reason,
} as const
