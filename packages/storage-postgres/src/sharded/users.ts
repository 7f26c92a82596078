/** The users of a database whose tables of people are divided by their bucket. */

import type { User, UserStore } from '@ostiary/identity'
import { bucketByHash } from '../connection/buckets.js'
import { won } from '../connection/executor.js'
import type { Database } from '../connection/row-finder.js'
import { columnList, insertOfPerson, OF_USER, PLACE, USER } from '../stores/columns.js'
import {
  IS_USER,
  type NameChanges,
  stored,
  type UserChange,
  type UserRow,
  userChange,
  userDeletion,
  userOf,
  userStore,
} from '../stores/users.js'
import { pageInBuckets } from './buckets.js'
import { type Names, namesInBuckets } from './names.js'

const INSERT = `${insertOfPerson('oidc_users', USER)} on conflict do nothing returning sub`

/** Undoes INSERT: such a user was never returned to anybody. */
const REMOVE = `
  delete from oidc_users
  where ${OF_USER} and updated_at = $4 and username_key = $5`

const PAGE = `
  select ${columnList(USER)} from oidc_users
  where ${PLACE} and sub > $3 and ${IS_USER} order by sub limit $4`

/** Lists users in the order of their buckets, and then of `sub`. */
export function userStoreInBuckets(db: Database, realm: string): UserStore {
  const names = namesInBuckets(db, realm)
  return {
    ...userStore(
      db,
      realm,
      inTwoCommits(names, { change: userChange(db, realm), deletion: userDeletion(db, realm) }),
    ),
    create: (user) => create(user, { db, realm, names }),
    async list(page) {
      const users = await pageInBuckets(page, bucketByHash, async (bucket, after) => {
        const rows = await db.query<UserRow>(PAGE, [realm, bucket, after, page.limit])
        const named = await Promise.all(rows.map(({ username_key, sub }) => names.isOf(username_key, sub)))
        return rows.filter((_, index) => named[index])
      })
      return users.map(userOf)
    },
  }
}

interface Creation {
  db: Database
  realm: string
  names: Names
}

async function create(user: User, { db, realm, names }: Creation): Promise<boolean> {
  const { sub, updated_at, username_key } = user
  const claim = await names.claim(username_key, sub)
  if (claim === null) return false
  const place = [realm, bucketByHash(sub)]
  if (!(await won(db.query(INSERT, [...place, stored(user)])))) {
    await names.release(claim)
    return false
  }
  if (await names.confirm(claim)) return true
  await db.query(REMOVE, [...place, sub, updated_at, username_key])
  return false
}

interface Changes {
  change: UserChange
  deletion: UserChange
}

const inTwoCommits = (names: Names, { change, deletion }: Changes): NameChanges => ({
  async rename(before, { sub, username_key, updated_at }, record) {
    const old_name = await names.find(before.username_key, sub)
    const claim = await names.claim(username_key, sub)
    if (claim === null) return false
    if (!(await change(before, record))) {
      await names.release(claim)
      return false
    }
    if (!(await names.confirm(claim))) {
      await change({ sub, updated_at, username_key }, JSON.stringify(before))
      return false
    }
    if (old_name !== null) await names.release(old_name)
    return true
  },
  async remove(before, record) {
    if (!(await deletion(before, record))) return false
    await names.forget(before.username_key, before.sub)
    return true
  },
})
