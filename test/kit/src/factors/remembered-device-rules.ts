/** The rules of identity's RememberedDeviceStore, as tests. */

import type { RememberedDevice, RememberedDeviceStore, RememberedDevices, Users } from '@ostiary/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userRecord as user } from '../user-rules.ts'

const NOW = 1_700_000_100
const CALLERS = 20

export interface RememberedDevicePlace {
  users: Users
  remembered_devices: RememberedDevices
  close(): Promise<void>
}

export const rememberedDevice = (
  device_id: string,
  sub: string,
  changes: Partial<RememberedDevice> = {},
): RememberedDevice => ({
  device_id,
  sub,
  label: 'Firefox, Linux',
  secret_hash: `hash of ${device_id}`,
  former_hash: null,
  credential_version: 3,
  created_at: NOW,
  last_used_at: null,
  expires_at: NOW + 86_400,
  ...changes,
})

const NEXT = { secret_hash: 'the next hash', last_used_at: NOW + 60 }

/** Tests the rules of identity's RememberedDeviceStore on one implementation. */
export function rememberedDeviceRules(name: string, open: () => Promise<RememberedDevicePlace>): void {
  describe(name, () => {
    let place: RememberedDevicePlace
    let realms = 0
    beforeAll(async () => {
      place = await open()
    })
    afterAll(() => place.close())
    /** The store of a new realm. */
    const fresh = () => {
      realms += 1
      const realm = `devices-${realms}`
      return { devices: place.remembered_devices(realm), users: place.users(realm) }
    }
    rules(fresh, () => place.remembered_devices('another realm'))
  })
}

function rules(
  fresh: () => { devices: RememberedDeviceStore; users: ReturnType<Users> },
  elsewhere: () => RememberedDeviceStore,
): void {
  it('lists the devices of a user in a realm, the oldest first', async () => {
    const { devices } = fresh()
    const [old, same, late] = [
      rememberedDevice('b', 'ann'),
      rememberedDevice('c', 'ann'),
      rememberedDevice('a', 'ann', {
        created_at: NOW + 1,
        label: '',
        last_used_at: NOW + 2,
        former_hash: 'h',
      }),
    ]
    const other = rememberedDevice('b', 'bob')
    for (const device of [old, same, late, other]) await devices.add(device)
    expect(await devices.list('ann')).toEqual([old, same, late])
    expect(await devices.list('bob')).toEqual([other])
    expect(await devices.list('cem')).toEqual([])
    expect(await elsewhere().list('ann')).toEqual([])
  })

  it('renews the secret of the expected one, and of no other device', async () => {
    const { devices } = fresh()
    const [device, beside] = [rememberedDevice('one', 'ann'), rememberedDevice('two', 'ann')]
    const other = rememberedDevice('one', 'bob')
    for (const each of [device, beside, other]) await devices.add(each)
    expect(await devices.renew({ ...device, secret_hash: 'another' }, NEXT)).toBe(false)
    expect(await devices.renew(rememberedDevice('three', 'ann'), NEXT)).toBe(false)
    expect(await elsewhere().renew(device, NEXT)).toBe(false)
    expect(await devices.list('ann')).toEqual([device, beside])
    expect(await devices.renew(device, NEXT)).toBe(true)
    const renewed = { ...device, ...NEXT, former_hash: device.secret_hash }
    expect(await devices.list('ann')).toEqual([renewed, beside])
    expect(await devices.list('bob')).toEqual([other])
    expect(await devices.renew(device, NEXT)).toBe(false)
  })

  it(`of ${CALLERS} callers that renew one secret, one gets true`, async () => {
    const { devices } = fresh()
    const device = rememberedDevice('one', 'ann')
    await devices.add(device)
    const answers = await Promise.all(
      Array.from({ length: CALLERS }, (_, i) => devices.renew(device, { ...NEXT, secret_hash: `next ${i}` })),
    )
    expect(answers.filter((answer) => answer)).toHaveLength(1)
    const [stored] = await devices.list('ann')
    expect(stored).toMatchObject({
      secret_hash: `next ${answers.indexOf(true)}`,
      former_hash: device.secret_hash,
    })
  })

  it('removes the device of this user alone', async () => {
    const { devices } = fresh()
    for (const sub of ['ann', 'bob']) await devices.add(rememberedDevice('one', sub))
    expect(await devices.remove('ann', 'two')).toBe(false)
    expect(await elsewhere().remove('ann', 'one')).toBe(false)
    expect(await devices.remove('ann', 'one')).toBe(true)
    expect(await devices.remove('ann', 'one')).toBe(false)
    expect([await devices.list('ann'), (await devices.list('bob')).length]).toEqual([[], 1])
  })

  it('the deletion of a user deletes the devices of that user alone', async () => {
    const { devices, users } = fresh()
    for (const sub of ['ann', 'bob']) {
      expect(await users.create(user(sub))).toBe(true)
      await devices.add(rememberedDevice('one', sub))
    }
    expect(await users.delete('ann')).toBe(true)
    expect([await devices.list('ann'), (await devices.list('bob')).length]).toEqual([[], 1])
  })

  it('keeps no object of a caller', async () => {
    const { devices } = fresh()
    const device = rememberedDevice('one', 'ann')
    const given = { ...device }
    await devices.add(given)
    given.secret_hash = 'changed'
    const [read] = await devices.list('ann')
    if (read) read.expires_at = 0
    expect(await devices.list('ann')).toEqual([device])
  })
}
