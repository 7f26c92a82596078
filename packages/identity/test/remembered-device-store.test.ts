import { rememberedDevice, rememberedDeviceRules } from '@ostiary/test-kit/factors/remembered-device-rules'
import { expect, it } from 'vitest'
import { memoryUserStores } from '../src/index.js'

rememberedDeviceRules('remembered devices in memory', async () => ({
  ...memoryUserStores(),
  close: async () => {},
}))

it('memory forgets the expired devices of a user when another one is added', async () => {
  const devices = memoryUserStores().remembered_devices('default')
  const old = rememberedDevice('old', 'ann')
  await devices.add(old)
  const last = rememberedDevice('last', 'ann', {
    created_at: old.expires_at - 1,
    expires_at: old.expires_at + 9,
  })
  await devices.add(last)
  expect(await devices.list('ann')).toEqual([old, last])
  const next = rememberedDevice('next', 'ann', { created_at: old.expires_at })
  await devices.add(next)
  expect(await devices.list('ann')).toEqual([last, next])
})
