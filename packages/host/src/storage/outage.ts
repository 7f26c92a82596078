/** Which failures mean that the storage is unavailable: the answer to them is 503. */

import { isUnavailable, RestoredError } from '@ostiary/storage-postgres/errors'
import { isRedisUnavailable } from '@ostiary/storage-redis/errors'

export const isOutage = (cause: unknown): boolean =>
  isUnavailable(cause) ||
  OWN_NAMES.has(nameOf(cause)) ||
  (cause instanceof Error && isRedisUnavailable(cause))

const nameOf = (error: unknown): unknown => error instanceof Error && error.name
/** The row of a change could not be written, so it was not made. The class is in a package that need not be loaded. */
export const isUnwritten = (error: unknown): boolean => nameOf(error) === 'AuditError'
/** Of packages that need not be loaded. */
const OWN_NAMES: ReadonlySet<unknown> = new Set(['AuditError', 'RealmNotReadError'])

/** Whether it was restored, and is refused until `ostiary database restored` has run. */
export const isRestored = (cause: unknown): boolean => cause instanceof RestoredError
