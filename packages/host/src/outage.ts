/** Which failures say that the storage is away for now: the answer to them is 503. */

import { isUnavailable } from '@ostiary/storage-postgres/errors'

/** ioredis tells these by their texts alone. */
const CONNECTION = /^(Connection is closed|Command timed out|Command aborted|Stream isn't writeable)/
/** What a Redis says that starts, or that a failover has just passed over. */
const SERVER = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN) /

export function isOutage(cause: unknown): boolean {
  if (isUnavailable(cause)) return true
  if (!(cause instanceof Error)) return false
  if (cause.name === 'MaxRetriesPerRequestError' || CONNECTION.test(cause.message)) return true
  return cause.name === 'ReplyError' && SERVER.test(cause.message)
}
