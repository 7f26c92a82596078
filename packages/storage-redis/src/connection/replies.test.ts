import { expect, it } from 'vitest'
import { isRedisUnavailable } from './replies.js'

const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' })

it.each([
  'LOADING Redis is loading the dataset in memory',
  'BUSY Redis is busy running a script.',
  "OOM command not allowed when used memory > 'maxmemory'.",
  "ERR Error running script (call to f_1): @user_script:1: @user_script: 1: -OOM command not allowed when used memory > 'maxmemory'.",
  "READONLY You can't write against a read only replica. script: 1, on @user_script:1.",
  "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
  'MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.',
  'NOREPLICAS Not enough good replicas to write.',
  'CLUSTERDOWN The cluster is down',
  'CLUSTERDOWN Hash slot not served',
  'TRYAGAIN Multiple keys request during rehashing of slot',
  'MOVED 3999 127.0.0.1:6381',
  'ASK 3999 127.0.0.1:6381',
  'ERR max number of clients reached',
  'ERR Script attempted to access a non local key in a cluster node script: 1, on @user_script:1.',
  'ERR Script attempted to execute a write command while the cluster is down and readonly',
])('a reply of Redis is an outage: %s', (message) => expect(isRedisUnavailable(reply(message))).toBe(true))

/** As ioredis 6.0 throws them. */
it.each([
  'Connection is closed.',
  'Command timed out',
  'Command aborted due to connection close',
  "Stream isn't writeable and enableOfflineQueue options is false",
  "Socket timeout. Expecting data, but didn't receive any in 3000ms.",
  'All sentinels are unreachable and retry is disabled. Last error: connect ECONNREFUSED 127.0.0.1:26379',
  'All sentinels are unreachable. Retrying from scratch after 100ms.',
  'None of startup nodes is available',
  'Failed to refresh slots cache.',
  'Node is disconnected',
  'Cluster is ended.',
  'Cluster is disconnecting.',
  "Cluster isn't ready and enableOfflineQueue options is false",
  'Too many Cluster redirections. Last error: ReplyError: MOVED 3999 127.0.0.1:6381',
  'Too many Cluster redirections. Last error: ReplyError: TRYAGAIN Multiple keys request during rehashing of slot',
  'Too many Cluster redirections. Last error: ReplyError: CLUSTERDOWN The cluster is down',
  'Too many Cluster redirections. Last error: Error: Connection is closed.',
  'Too many Cluster redirections. Last error: AbortError: Command aborted due to connection close',
])('a message of ioredis is an outage: %s', (message) =>
  expect(isRedisUnavailable(new Error(message))).toBe(true),
)

it.each([
  'ERR unknown command',
  'WRONGTYPE Operation against a key',
  'NOSCRIPT No matching script.',
  'BUSYGROUP Consumer Group name already exists',
  "CROSSSLOT Keys in request don't hash to the same slot",
  'Too many Cluster redirections. Last error: ReplyError: WRONGTYPE Operation against a key',
])('%s is an error of the program, not an outage', (message) =>
  expect(isRedisUnavailable(reply(message))).toBe(false),
)
