/** Which failures say that the storage is away for now: the answer to them is 503. */

import { isUnavailable } from '@ostiary/storage-postgres/errors'

/** ioredis tells these by their texts alone. */
const CONNECTION = /^(Connection is closed|Command timed out|Command aborted|Stream isn't writeable)/
/**
 * A Redis that starts or is busy, that a failover has passed over, or that takes no writes: it is full, cannot save, or
 * has lost its replicas. Before version 7, a script's error is wrapped into one of its own.
 */
const SERVER =
  /^(?:ERR Error running script .*-)?(?:LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|OOM|MISCONF|NOREPLICAS) /

export function isOutage(cause: unknown): boolean {
  if (isUnavailable(cause)) return true
  if (!(cause instanceof Error)) return false
  if (cause.name === 'MaxRetriesPerRequestError' || CONNECTION.test(cause.message)) return true
  return cause.name === 'ReplyError' && SERVER.test(cause.message)
}
