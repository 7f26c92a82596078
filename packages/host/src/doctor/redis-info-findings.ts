/** Findings of INFO: the version, and whether a full Redis drops records. */

import { Cluster } from 'ioredis'
import type { RedisAddress } from '../config/redis-address.js'
import type { SessionPlace } from '../config/storage-kinds.js'
import type { RedisClient } from '../storage/redis-client.js'
import { evictionIn, infoValue } from '../storage/redis-info.js'
import { type Finding, fault, note, ok } from './finding.js'

const INFO_REFUSED = 'answers, but its user may not run INFO: the version and maxmemory-policy are unknown'

export const infoRefused = (sessions: SessionPlace): Finding =>
  sessions === 'redis'
    ? fault(
        'redis',
        `${INFO_REFUSED}, and it holds the sessions: the server does not start`,
        'Allow the user to run INFO, or set OSTIARY_SESSIONS to database.',
      )
    : note(
        'redis',
        INFO_REFUSED,
        'Allow the user to run INFO, or check that Redis is version 6.2 or later with maxmemory-policy noeviction.',
      )

interface InfoSource {
  redis: RedisClient
  address: RedisAddress
  sessions: SessionPlace
}

/** @param infos The answers of the server, or of each master of a cluster. */
export function infoFindings(infos: string[], { redis, address, sessions }: InfoSource): Finding[] {
  const versions = [...new Set(infos.map((info) => infoValue(info, 'redis_version')))]
  const outdated = versions.filter(isOutdated)
  const policy = infos.map(evictionIn).find((found) => found !== null)
  return [
    outdated.length > 0
      ? fault('redis', `is version ${outdated.join(', ')}`, 'Use 6.2 or later.')
      : ok('redis', `${subject(redis, address)} (version ${versions.join(', ')})`),
    ...(policy === undefined ? [] : [evictionFinding(policy, sessions)]),
  ]
}

function isOutdated(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < 6 || (major === 6 && minor < 2)
}

/** Names the masters that answer. */
function subject(redis: RedisClient, { kind }: RedisAddress): string {
  if (redis instanceof Cluster) {
    const masters = redis.nodes('master').map(({ options }) => `${options.host}:${options.port}`)
    return `the masters ${masters.sort().join(', ')} of the cluster answer`
  }
  const { remoteAddress, remotePort } = redis.stream as import('node:net').Socket
  return kind === 'sentinel' ? `the master ${remoteAddress}:${remotePort} answers` : 'answers'
}

function evictionFinding(policy: string, sessions: SessionPlace): Finding {
  const message = `drops records when it is full (maxmemory-policy ${policy})`
  if (sessions === 'database') return note('redis', message, 'Set maxmemory-policy to noeviction.')
  return fault(
    'redis',
    `${message}, and holds the sessions: the server does not start`,
    'Set maxmemory-policy to noeviction, or OSTIARY_SESSIONS to database.',
  )
}
