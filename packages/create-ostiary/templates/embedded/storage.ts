/** Where the records are stored: in PostgreSQL with POSTGRESQL.md. */

import { memoryStorage } from '@ostiary/core/memory'

export const storage = memoryStorage()
