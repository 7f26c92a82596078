/** Where the records are stored. In memory they are lost when the process ends. */

import { memoryStorage } from '@ostiary/core/memory'

export const storage = memoryStorage()
