import { rootsOf } from './keys.js'
import { keysWith } from './scan.js'
import type { RedisConnection } from './script.js'

/** Keys that are deleted at once: in a cluster each may be in another slot. */
const AT_ONCE = 100

/** Deletes everything of a realm that no server answers any more, in small steps. @returns How many keys. */
export async function deleteRealm(
  redis: RedisConnection,
  realm: string,
  { prefix = 'ostiary:' }: { prefix?: string } = {},
): Promise<number> {
  const { ofRealm } = rootsOf(prefix, realm)
  // Of the realm and of its people: `{acme}:` and `{acme:tag}:`, but not `{acme2}:`.
  const stem = ofRealm.slice(0, -2)
  let batch: string[] = []
  let deleted = 0
  const deleteBatch = async () => {
    const counts = await Promise.all(batch.map((key) => redis.unlink(key)))
    deleted += counts.reduce((sum, count) => sum + count, 0)
    batch = []
  }
  for await (const key of keysWith(redis, stem)) {
    if (!['}', ':'].includes(key.charAt(stem.length))) continue
    batch.push(key)
    if (batch.length === AT_ONCE) await deleteBatch()
  }
  await deleteBatch()
  return deleted
}
