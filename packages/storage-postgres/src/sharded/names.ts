/**
 * Names of users where a name and its user may lie in different databases: two commits instead of one. A name is claimed, the user is
 * stored, and the claim is confirmed. When a server dies in between, the name stays without a user, and can be taken over.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { bucketByHash } from '../connection/buckets.js'
import { first } from '../connection/executor.js'
import { type Database, keyByHash } from '../connection/row-finder.js'
import { PLACE } from '../stores/columns.js'
import { FIND, FIND_NAMED, type UserRow } from '../stores/users.js'

/** Seconds until a name without a user can be taken over: longer than it takes to store a user. */
const CLAIM_SECONDS = 60
/** Seconds after a claim in which its end is waited for: as long as a statement may take. */
const PENDING_SECONDS = 5
const POLL_MS = 50

const NAMED = `${PLACE} and username_key = $3`

const CLAIM = `
  insert into oidc_usernames (realm, bucket, username_key, sub) values ($1, $2, $3, $4)
  on conflict do nothing returning created_at`

const HOLDER = `
  select sub, created_at, abs(oidc_clock() - created_at) as age from oidc_usernames
  where ${NAMED}`

/** Another claim has another `created_at`, because only old ones are taken over. */
const TAKE_OVER = `
  update oidc_usernames set sub = $4, created_at = oidc_clock()
  where ${NAMED} and sub = $5 and created_at = $6
  returning created_at`

const RELEASE = `
  delete from oidc_usernames
  where ${NAMED} and sub = $4 and created_at = $5`

const FORGET = `
  delete from oidc_usernames where ${NAMED} and sub = $4`

/** A name with the user that has it, or is about to have it. */
interface NameClaim {
  username_key: string
  sub: string
  /** Of the claim: epoch seconds. */
  created_at: number
}

export interface Names {
  /** Null when another user has the name. @throws Error with 40001 when another user has been about to have it for long. */
  claim(username_key: string, sub: string): Promise<NameClaim | null>
  /** False when the claim was taken over. */
  confirm(claim: NameClaim): Promise<boolean>
  /** Gives up the claim, unless it was taken over. */
  release(claim: NameClaim): Promise<void>
  /** The claim of this user; null when the name names another user, or none. */
  find(username_key: string, sub: string): Promise<NameClaim | null>
  /** Gives up the name of a user that was deleted. */
  forget(username_key: string, sub: string): Promise<void>
  isOf(username_key: string, sub: string): Promise<boolean>
}

interface Holder {
  sub: string
  created_at: number
  /** Of the claim, in seconds. The clock may be set back. */
  age: number
}

export function namesInBuckets(db: Database, realm: string): Names {
  const keyOf = (username_key: string) => [realm, bucketByHash(username_key), username_key]
  const holderOf = (username_key: string) => first(db.query<Holder>(HOLDER, keyOf(username_key)))

  async function takeOver(holder: Omit<Holder, 'age'>, claim: Omit<NameClaim, 'created_at'>) {
    const { username_key, sub } = claim
    const params = [...keyOf(username_key), sub, holder.sub, holder.created_at]
    const row = await first(db.query<{ created_at: number }>(TAKE_OVER, params))
    return row && { username_key, sub, ...row }
  }

  /** Throws when the database of the user does not answer: that never frees a name. */
  async function isHeld({ sub }: Holder, username_key: string): Promise<boolean> {
    const user = await db.find<UserRow>(FIND, keyByHash(realm, sub))
    return user?.username_key === username_key
  }

  return {
    /** Waits as an `insert` waits for the transaction that inserts the same key: no refusal names a user that is not stored. */
    async claim(username_key, sub) {
      for (let waited_ms = 0; waited_ms < PENDING_SECONDS * 1_000; waited_ms += POLL_MS) {
        const row = await first(db.query<{ created_at: number }>(CLAIM, [...keyOf(username_key), sub]))
        if (row !== null) return { username_key, sub, ...row }
        const holder = await holderOf(username_key)
        if (holder !== null) {
          if (await isHeld(holder, username_key)) return null
          if (holder.age >= CLAIM_SECONDS) {
            const taken = await takeOver(holder, { username_key, sub })
            if (taken !== null) return taken
          } else if (holder.age >= PENDING_SECONDS) break
        }
        await sleep(POLL_MS)
      }
      // The code is that of PostgreSQL for what may succeed later.
      const message = 'another process stores a user with this name, or has stopped: try again in a minute'
      throw Object.assign(new Error(message), { code: '40001' })
    },
    confirm: async (claim) => (await takeOver(claim, claim)) !== null,
    async release({ username_key, sub, created_at }) {
      await db.query(RELEASE, [...keyOf(username_key), sub, created_at])
    },
    async find(username_key, sub) {
      const holder = await holderOf(username_key)
      return holder?.sub === sub ? { username_key, sub, created_at: holder.created_at } : null
    },
    async forget(username_key, sub) {
      await db.query(FORGET, [...keyOf(username_key), sub])
    },
    async isOf(username_key, sub) {
      const named = await db.find<{ sub: string }>(FIND_NAMED, keyByHash(realm, username_key))
      return named?.sub === sub
    },
  }
}
