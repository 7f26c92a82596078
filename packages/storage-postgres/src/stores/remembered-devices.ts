import type { RememberedDevice, RememberedDeviceStore } from '@ostiary/identity'
import { bucketByHash } from '../connection/buckets.js'
import { type Queries, won } from '../connection/executor.js'
import { columnList, insertOfPerson, OF_USER, REMEMBERED_DEVICE } from './columns.js'

const LIST = `
  select ${columnList(REMEMBERED_DEVICE)} from oidc_remembered_devices where ${OF_USER} order by created_at, device_id`

const ADD = insertOfPerson('oidc_remembered_devices', REMEMBERED_DEVICE)

const RENEW = `
  update oidc_remembered_devices set secret_hash = $6, former_hash = $5, last_used_at = $7
  where ${OF_USER} and device_id = $4 and secret_hash = $5 returning device_id`

const REMOVE = `
  delete from oidc_remembered_devices where ${OF_USER} and device_id = $4 returning device_id`

export function rememberedDeviceStore(db: Queries, realm: string): RememberedDeviceStore {
  const keyOf = (sub: string) => [realm, bucketByHash(sub), sub]
  return {
    list: (sub) => db.query<RememberedDevice>(LIST, keyOf(sub)),
    async add(device) {
      await db.query(ADD, [realm, bucketByHash(device.sub), JSON.stringify(device)])
    },
    renew: ({ sub, device_id, secret_hash }, next) =>
      won(db.query(RENEW, [...keyOf(sub), device_id, secret_hash, next.secret_hash, next.last_used_at])),
    remove: (sub, device_id) => won(db.query(REMOVE, [...keyOf(sub), device_id])),
  }
}
