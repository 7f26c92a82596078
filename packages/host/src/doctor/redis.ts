import { Redis } from 'ioredis'
import { hidden } from '../visible.js'
import { type Check, codeOf, fault, messageOf, note, ok } from './check.js'

export async function checkRedis(url: string): Promise<Check[]> {
  const redis = new Redis(url, {
    ...{ lazyConnect: true, retryStrategy: () => null, connectTimeout: 3000, commandTimeout: 3000 },
    maxRetriesPerRequest: 0,
  })
  let failure: unknown = null
  redis.on('error', (error) => {
    failure = error
  })
  try {
    await redis.connect()
    await redis.ping()
    return judge(await redis.info())
  } catch (error) {
    return [refused(url, failure ?? error)]
  } finally {
    redis.disconnect()
  }
}

function refused(url: string, error: unknown): Check {
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
    'Start it, or correct REDIS_URL. Servers start without it, but nobody can sign in.',
  )
}

function judge(info: string): Check[] {
  const lines = info.split(/\r?\n/)
  const value = (name: string) =>
    lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1) ?? ''
  const [major = 0, minor = 0] = value('redis_version').split('.').map(Number)
  const policy = value('maxmemory_policy')
  const old = major < 6 || (major === 6 && minor < 2)
  return [
    old
      ? fault('redis', `is version ${value('redis_version')}`, 'Take 6.2 or later.')
      : ok('redis', `answers (version ${value('redis_version')})`),
    ...(policy !== '' && policy !== 'noeviction'
      ? [note('redis', `drops records when it is full (maxmemory-policy ${policy})`, 'Set it to noeviction.')]
      : []),
  ]
}
