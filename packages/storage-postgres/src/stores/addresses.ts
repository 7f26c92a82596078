/** Which users may have confirmed an address. The record of the user says whether it has. */

import type { UserStore } from '@ostiary/identity'
import { bucketByHash } from '../connection/buckets.js'
import type { Executor } from '../connection/executor.js'
import { type Database, withRowFinder } from '../connection/row-finder.js'
import { PLACE } from './columns.js'
import { userStore } from './users.js'

const OF_ADDRESS = `${PLACE} and address_key = $3`

const FIND = `select sub from oidc_addresses where ${OF_ADDRESS} order by sub limit 3`

const ADD = `
  insert into oidc_addresses (realm, bucket, address_key, sub) values ($1, $2, $3, $4) on conflict do nothing`

const REMOVE = `delete from oidc_addresses where ${OF_ADDRESS} and sub = $4`

/** An entry whose user does not have the address means nothing. */
export interface AddressIndex {
  /** At most three. */
  find(address_key: string): Promise<{ sub: string }[]>
  add(address_key: string, sub: string): Promise<unknown>
  remove(address_key: string, sub: string): Promise<unknown>
  /** Absent in a divided database. */
  transaction?<T>(run: (users: UserStore, addresses: AddressIndex) => Promise<T>): Promise<T>
}

/** @param executor Null for a divided database, and within a transaction. */
export function addressIndex(db: Database, realm: string, executor: Executor | null): AddressIndex {
  const run =
    (text: string) =>
    (key: string, ...more: string[]) =>
      db.query<{ sub: string }>(text, [realm, bucketByHash(key), key, ...more])
  return {
    find: run(FIND),
    add: run(ADD),
    remove: run(REMOVE),
    ...(executor && {
      transaction: (change) =>
        executor.transaction((tx) => {
          const within = withRowFinder(tx)
          return change(userStore(within, realm), addressIndex(within, realm, null))
        }),
    }),
  }
}
