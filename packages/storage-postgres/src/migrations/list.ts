import { records } from './0001-records.js'
import type { Migration } from './migration.js'

/** In the order in which they are applied. */
export const MIGRATIONS: readonly Migration[] = [records]
