/** Which failures mean that the storage is unavailable: the answer to them is 503. */

import { isUnavailable } from '@ostiary/storage-postgres/errors'

/** ioredis has no codes for these. */
const CONNECTION_FAILURE = /^(Connection is closed|Command timed out|Command aborted|Stream isn't writeable)/
/**
 * A Redis that is starting or busy, in a failover, or that accepts no writes because it is full, cannot save, or has lost
 * its replicas. Before version 7, Redis wraps the error of a script.
 */
const SERVER_FAILURE =
  /^(?:ERR Error running script .*-)?(?:LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|OOM|MISCONF|NOREPLICAS) /

export function isOutage(cause: unknown): boolean {
  if (isUnavailable(cause)) return true
  if (!(cause instanceof Error)) return false
  if (cause.name === 'MaxRetriesPerRequestError' || CONNECTION_FAILURE.test(cause.message)) return true
  return cause.name === 'ReplyError' && SERVER_FAILURE.test(cause.message)
}
