import { memoryStorage } from '@ostiary/core/memory'
import { expect, it } from 'vitest'
import { storageConformance } from '../src/index.js'

storageConformance({ name: 'memory storage', background: true, create: async () => memoryStorage() })

it('memory storage: a purge deletes 1000 past throttle windows, and a hit of another key all of them', async () => {
  const { throttle, purge } = memoryStorage()('default')
  const flood = async () => {
    for (let key = 0; key < 1500; key += 1) await throttle.hit(`${key}`, 60, 0)
  }
  await flood()
  expect([await purge(59), await purge(60), await purge(60), await purge(60)]).toEqual([0, 1000, 500, 0])
  await flood()
  await throttle.hit('another', 60, 60)
  expect(await purge(60)).toBe(0)
})
