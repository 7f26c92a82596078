import { hidden } from '../config/redacted.js'
import type { RedisChoice } from '../config/storage-choice.js'
import type { Finding } from './finding.js'

/** Checks the Redis that REDIS_URL names, without a change. */
export async function checkRedis({ redis_url, sessions }: RedisChoice): Promise<Finding[]> {
  const { diagnose } = await import('@ostiary/storage-redis')
  const findings = await diagnose(redis_url, {
    holds_sessions: sessions === 'redis',
    shown_as: hidden(redis_url),
  })
  return findings.map((finding) => ({ check: 'redis', ...finding }))
}
