/** How to tell the errors of Redis apart. This entry point loads no client of Redis. */

export { isRedisUnavailable } from './connection/replies.js'
