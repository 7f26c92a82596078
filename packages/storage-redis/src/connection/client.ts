/** A client of ioredis for each kind of address. While Redis is unavailable, each command fails within 2 seconds. */

import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis'
import type { RedisConnection } from '../script.js'
import type { RedisAddress } from './address.js'
import { isReplicaReply } from './replies.js'

const COMMAND_TIMEOUT_MS = 2000
const FASTEST_RETRY_MS = 100
const SLOWEST_RETRY_MS = 1000

const retryDelay = (times: number): number => Math.min(times * FASTEST_RETRY_MS, SLOWEST_RETRY_MS)

const LIMITS = {
  // While Redis is unavailable, a request fails soon; the client reconnects by itself.
  maxRetriesPerRequest: 1,
  commandTimeout: COMMAND_TIMEOUT_MS,
  // A connection without answers is closed; the next commands would wait on it for minutes.
  connectTimeout: 3000,
  socketTimeout: 3000,
  // A command that takes a record, sent again after a reconnect, would not find it: it was already taken.
  autoResendUnfulfilledCommands: false,
  reconnectOnError: reconnectToMaster,
} satisfies RedisOptions

/**
 * The server was the master and is now a replica: the address, or the sentinels, may lead to the new master. The command
 * fails (`1`). It was not executed, and ioredis could send it again (`2`), but it would do so without end while the server
 * stays a replica.
 */
function reconnectToMaster({ message }: Error): 1 | false {
  return isReplicaReply(message) && 1
}

/** @param once Connects on demand, and only once: for `diagnose`. */
export function redisClient(address: RedisAddress, { once = false } = {}): RedisConnection {
  if (address.kind === 'cluster') return clusterClient(address, once)
  const retryStrategy = once ? () => null : retryDelay
  const limits = { ...LIMITS, retryStrategy, lazyConnect: once, ...(once && { maxRetriesPerRequest: 0 }) }
  if (address.kind === 'server') return new Redis(address.url, limits)
  const { nodes, name, db, tls, login, sentinel_login } = address
  return new Redis({
    ...limits,
    ...login,
    sentinels: nodes,
    name,
    db,
    sentinelRetryStrategy: retryStrategy,
    sentinelCommandTimeout: COMMAND_TIMEOUT_MS,
    ...(sentinel_login.username !== undefined && { sentinelUsername: sentinel_login.username }),
    ...(sentinel_login.password !== undefined && { sentinelPassword: sentinel_login.password }),
    ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  })
}

const CLUSTER_LIMITS = {
  // How often a command follows MOVED and ASK, or is repeated after TRYAGAIN and CLUSTERDOWN: it was not executed.
  maxRedirections: 8,
  // A lost connection is no such refusal: the command may have been executed, and is not sent again.
  retryDelayOnFailover: 0,
  slotsRefreshTimeout: 2000,
  // A master that has joined is also found without a redirection.
  slotsRefreshInterval: 15_000,
  // The name goes to the connection, which resolves it, and checks the certificate of the node against it.
  dnsLookup: (host, done) => done(null, host),
} satisfies ClusterOptions

type ClusterAddress = Extract<RedisAddress, { kind: 'cluster' }>

function clusterClient({ nodes, tls, login }: ClusterAddress, once: boolean): Cluster {
  const cluster = new Cluster(nodes, {
    ...CLUSTER_LIMITS,
    clusterRetryStrategy: once ? () => null : retryDelay,
    lazyConnect: once,
    redisOptions: { ...LIMITS, ...login, ...(tls && { tls: {} }) },
  })
  limitCommands(cluster)
  return cluster
}

/**
 * ioredis limits the time of a command on the connection to a node: here the limit includes the wait for the cluster and
 * all redirections. A command that has failed meanwhile is not sent.
 */
function limitCommands(cluster: Cluster): void {
  const send = cluster.sendCommand.bind(cluster)
  cluster.sendCommand = (command, stream, node) => {
    if (command.isSettled) return command.promise
    command.setTimeout(COMMAND_TIMEOUT_MS)
    return send(command, stream, node)
  }
}
