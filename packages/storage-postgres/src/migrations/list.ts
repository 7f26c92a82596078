import { records } from './0001-records.js'
import { clientKeys } from './0002-client-keys.js'
import { boundTokens, firstKeys } from './0003-bound-tokens.js'
import { raisedSessions } from './0005-raised-sessions.js'
import { refreshGrace } from './0006-refresh-grace.js'
import { verificationUriComplete } from './0007-verification-uri-complete.js'
import type { Migration } from './migration.js'

/** In the order in which they are applied. */
export const MIGRATIONS: readonly Migration[] = [
  records,
  clientKeys,
  boundTokens,
  firstKeys,
  raisedSessions,
  refreshGrace,
  verificationUriComplete,
]
