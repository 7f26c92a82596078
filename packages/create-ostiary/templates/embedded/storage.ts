/** Where the records are stored. README.md says how to store them in PostgreSQL. */

import { memoryStorage } from '@ostiary/core/memory'

export const storage = memoryStorage()
