import { records } from './0001-records.js'
import { endingSessions } from './0002-ending-sessions.js'
import { purgeOnwards } from './0003-purge-onwards.js'
import { grantsById } from './0004-grants-by-id.js'
import { bounds } from './0005-bounds.js'
import type { Migration } from './migration.js'

/** In the order in which they are applied. */
export const MIGRATIONS: readonly Migration[] = [records, endingSessions, purgeOnwards, grantsById, bounds]
