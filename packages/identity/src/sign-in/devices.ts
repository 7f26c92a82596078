/**
 * Remembers in a browser that it has signed in to an account, so that attempts of strangers cannot keep its owner out
 * (OWASP: device cookies). It is no proof of who is there.
 */

import { randomBytes } from 'node:crypto'
import type { Realm } from '@ostiary/core'
import type { User } from '../users/user-store.js'
import { pageCookie } from '../web/cookies.js'
import { constantTimeEqual, type KeyedHash } from '../web/keyed-hash.js'

/** What browsers keep a cookie for at most. */
const DEVICE_COOKIE_SECONDS = 400 * 86_400
/** Accounts that one browser is remembered for. */
const MAX_ACCOUNTS_PER_DEVICE = 5

/** The device's id, and a tag for each account, newest first. */
const cookie = pageCookie('ostiary_device', /^[\w-]{22}(?:\.[\w-]{43}){1,5}$/)

export interface Devices {
  /** The id of the device when its browser has signed in to this account with the password that is in force; or null. */
  find(request: Request, realm: Realm, user: User | null): string | null
  /** The cookie for a browser that has just shown the account's password. */
  remember(request: Request, realm: Realm, user: User): string
}

export function createDevices(hash: KeyedHash): Devices {
  // Over the hash of the password, so that another password withdraws every tag.
  const tagOf = (device: string, realm: Realm, user: User | null) =>
    hash(realm.id, user?.sub ?? '', user?.password_hash ?? '', device)
  const read = (request: Request, realm: Realm) => {
    const [device, ...tags] = cookie.read(request, realm)?.split('.') ?? []
    return { device, tags }
  }
  return {
    find(request, realm, user) {
      const { device, tags } = read(request, realm)
      if (device === undefined) return null
      // For an unknown account, too: the duration must not tell which ones exist.
      const expected = tagOf(device, realm, user)
      const proven = tags.filter((tag) => constantTimeEqual(tag, expected)).length > 0
      const usable = user !== null && user.disabled_at === null && user.password_hash !== null
      return proven && usable ? device : null
    },
    remember(request, realm, user) {
      const { device = randomBytes(16).toString('base64url'), tags } = read(request, realm)
      const newest = tagOf(device, realm, user)
      const others = tags.filter((tag) => tag !== newest)
      const value = [device, newest, ...others].slice(0, 1 + MAX_ACCOUNTS_PER_DEVICE).join('.')
      return cookie.write(realm, value, DEVICE_COOKIE_SECONDS)
    },
  }
}
