/** Everything of a realm is deleted, and nothing of another one. */

import { personTag } from '@ostiary/core'
import { expect, it } from 'vitest'
import { deleteRealm, redisStorage } from '../src/index.js'
import { keysBelow, ownCorner } from './support.js'

const { redis, prefix } = ownCorner()
const NOW = Math.floor(Date.now() / 1000)

it('of its people and of its own, in batches; a realm whose name begins alike stays', async () => {
  const storage = redisStorage(redis, { prefix })
  const fill = async (realm: string, people: number) => {
    for (let n = 0; n < people; n += 1) {
      const sub = `ann-${n}`
      await storage(realm).revoked_tokens.add(`jti-${n}${personTag(sub)}`, NOW + 600)
      await storage(realm).throttle.hit(`login:${sub}`, 600, NOW)
    }
  }
  await fill('acme', 150)
  await fill('acme2', 2)
  await fill('acm', 2)
  const others = (await keysBelow(redis, prefix)).filter((key) => !/\{acme[:}]/.test(key))
  expect(others.length).toBeGreaterThan(3)
  expect(await deleteRealm(redis, 'acme', { prefix })).toBeGreaterThan(300)
  expect(await keysBelow(redis, prefix)).toEqual(others)
  expect(await deleteRealm(redis, 'acme', { prefix })).toBe(0)
})
