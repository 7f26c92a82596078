/** Findings of INFO: the version, and whether a full Redis drops records. */

import { Cluster } from 'ioredis'
import type { RedisAddress } from '../connection/address.js'
import { evictionIn, infoValue } from '../connection/info.js'
import type { RedisConnection } from '../script.js'
import { fault, note, type RedisFinding } from './finding.js'

const INFO_REFUSED = 'answers, but its user may not run INFO: the version and maxmemory-policy are unknown'

export const infoRefused = (holds_sessions: boolean): RedisFinding =>
  holds_sessions
    ? fault(
        `${INFO_REFUSED}, and it holds the sessions: the server does not start`,
        'Allow the user to run INFO, or set OSTIARY_SESSIONS to database.',
      )
    : note(
        INFO_REFUSED,
        'Allow the user to run INFO, or check that Redis is version 6.2 or later with maxmemory-policy noeviction.',
      )

interface InfoSource {
  redis: RedisConnection
  address: RedisAddress
  holds_sessions: boolean
}

/** @param infos The answers of the server, or of each master of a cluster. */
export function infoFindings(
  infos: string[],
  { redis, address, holds_sessions }: InfoSource,
): RedisFinding[] {
  const versions = [...new Set(infos.map((info) => infoValue(info, 'redis_version')))]
  const outdated = versions.filter(isOutdated)
  const policy = infos.map(evictionIn).find((found) => found !== null)
  return [
    outdated.length > 0
      ? fault(`is version ${outdated.join(', ')}`, 'Use 6.2 or later.')
      : { status: 'ok' as const, message: `${subject(redis, address)} (version ${versions.join(', ')})` },
    ...(policy === undefined ? [] : [evictionFinding(policy, holds_sessions)]),
  ]
}

function isOutdated(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < 6 || (major === 6 && minor < 2)
}

/** Names the masters that answer. */
function subject(redis: RedisConnection, { kind }: RedisAddress): string {
  if (redis instanceof Cluster) {
    const masters = redis.nodes('master').map(({ options }) => `${options.host}:${options.port}`)
    return `the masters ${masters.sort().join(', ')} of the cluster answer`
  }
  const { remoteAddress, remotePort } = redis.stream as import('node:net').Socket
  return kind === 'sentinel' ? `the master ${remoteAddress}:${remotePort} answers` : 'answers'
}

function evictionFinding(policy: string, holds_sessions: boolean): RedisFinding {
  const message = `drops records when it is full (maxmemory-policy ${policy})`
  if (!holds_sessions) return note(message, 'Set maxmemory-policy to noeviction.')
  return fault(
    `${message}, and holds the sessions: the server does not start`,
    'Set maxmemory-policy to noeviction, or OSTIARY_SESSIONS to database.',
  )
}
