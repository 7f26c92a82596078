import { Redis } from 'ioredis'
import { hidden } from '../config/redacted.js'
import type { StorageChoice } from '../config/storage-choice.js'
import { evictionIn, infoValue } from '../storage/redis-info.js'
import { codeOf, type Finding, fault, messageOf, note, ok } from './finding.js'

type RedisChoice = Extract<StorageChoice, { redis_url: string }>

export async function checkRedis({ redis_url: url, sessions }: RedisChoice): Promise<Finding[]> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: 3000,
    commandTimeout: 3000,
    maxRetriesPerRequest: 0,
  })
  let failure: unknown = null
  redis.on('error', (error) => {
    failure = error
  })
  try {
    await redis.connect()
    await redis.ping()
    const info = await redis
      .info()
      .catch((error: unknown) => (/NOPERM/.test(messageOf(error)) ? null : Promise.reject(error)))
    return info === null ? [INFO_REFUSED] : infoFindings(info, sessions)
  } catch (error) {
    return [failureFinding(url, failure ?? error)]
  } finally {
    redis.disconnect()
  }
}

function failureFinding(url: string, error: unknown): Finding {
  const message = messageOf(error)
  if (/NOAUTH|WRONGPASS|invalid password|AUTH/i.test(message))
    return fault(
      'redis',
      `refuses the password: ${message}`,
      'Correct the user and the password in REDIS_URL.',
    )
  return fault(
    'redis',
    `${hidden(url)} does not answer (${codeOf(error) || message})`,
    'Start Redis, or correct REDIS_URL. A server starts without Redis, but sign-in fails.',
  )
}

const INFO_REFUSED = note(
  'redis',
  'answers, but its user may not run INFO: the version and maxmemory-policy are unknown',
  'Allow the user to run INFO, or check that Redis is version 6.2 or later with maxmemory-policy noeviction.',
)

function infoFindings(info: string, sessions: RedisChoice['sessions']): Finding[] {
  const value = (name: string) => infoValue(info, name)
  const [major = 0, minor = 0] = value('redis_version').split('.').map(Number)
  const policy = evictionIn(info)
  const outdated = major < 6 || (major === 6 && minor < 2)
  return [
    outdated
      ? fault('redis', `is version ${value('redis_version')}`, 'Use 6.2 or later.')
      : ok('redis', `answers (version ${value('redis_version')})`),
    ...(policy === null ? [] : [evictionFinding(policy, sessions)]),
  ]
}

function evictionFinding(policy: string, sessions: RedisChoice['sessions']): Finding {
  const message = `drops records when it is full (maxmemory-policy ${policy})`
  if (sessions === 'database') return note('redis', message, 'Set maxmemory-policy to noeviction.')
  return fault(
    'redis',
    `${message}, and holds the sessions: the server does not start`,
    'Set maxmemory-policy to noeviction, or OSTIARY_SESSIONS to database.',
  )
}
