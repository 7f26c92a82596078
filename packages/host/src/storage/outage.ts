/** Which failures mean that the storage is unavailable: the answer to them is 503. */

import { isUnavailable, RestoredError } from '@ostiary/storage-postgres/errors'
import { isRedisUnavailable } from '@ostiary/storage-redis/errors'

export const isOutage = (cause: unknown): boolean =>
  isUnavailable(cause) || isUnwritten(cause) || (cause instanceof Error && isRedisUnavailable(cause))

/** The row of a change could not be written, so it was not made. The class is in a package that need not be loaded. */
export const isUnwritten = (error: unknown): boolean => error instanceof Error && error.name === 'AuditError'

/** Whether it was restored, and is refused until `ostiary database restored` has run. */
export const isRestored = (cause: unknown): boolean => cause instanceof RestoredError
