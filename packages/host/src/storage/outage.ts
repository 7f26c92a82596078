/** Which failures mean that the storage is unavailable: the answer to them is 503. */

import { isUnavailable } from '@ostiary/storage-postgres/errors'
import { isRedisUnavailable } from '@ostiary/storage-redis/errors'

export const isOutage = (cause: unknown): boolean =>
  isUnavailable(cause) || (cause instanceof Error && isRedisUnavailable(cause))
