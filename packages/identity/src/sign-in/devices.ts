/**
 * Device cookies (OWASP): a browser that has signed in to an account has its own limit of failures, so that attempts from
 * elsewhere cannot lock the user out. The cookie does not authenticate the user.
 */

import { randomBytes } from 'node:crypto'
import type { Realm } from '@ostiary/core'
import type { User } from '../users/user-store.js'
import { pageCookie } from '../web/cookies.js'
import { type AcceptedHashes, constantTimeEqual } from '../web/keyed-hash.js'

/** 400 days, the longest time for which browsers keep a cookie. */
const DEVICE_COOKIE_SECONDS = 400 * 86_400
const MAX_ACCOUNTS_PER_DEVICE = 5

/** The device's id and a tag for each account, the newest first. */
const cookie = pageCookie('ostiary_device', /^[\w-]{22}(?:\.[\w-]{43}){1,5}$/)

export interface Devices {
  /**
   * The id of the device, if its browser has signed in to this account with the current password, or while it has none; otherwise null.
   */
  find(request: Request, realm: Realm, user: User | null): string | null
  /** The cookie to set after a sign-in to the account. */
  remember(request: Request, realm: Realm, user: User): string
}

export function createDevices(hashes: AcceptedHashes): Devices {
  // The password's hash is part of the tag, so a new password makes every tag invalid, and so does its removal. So does the second step, when
  // it is turned on: who has signed in with the password alone is not known to have the second factor.
  const tagsOf = (device: string, realm: Realm, user: User | null) => {
    const second_step = user?.second_step ? ['second_step'] : []
    return hashes.map((hash) =>
      hash(realm.id, user?.sub ?? '', user?.password_hash ?? '', device, ...second_step),
    )
  }
  const read = (request: Request, realm: Realm) => {
    const [device, ...tags] = cookie.read(request, realm)?.split('.') ?? []
    return { device, tags }
  }
  return {
    find(request, realm, user) {
      const { device, tags } = read(request, realm)
      if (device === undefined) return null
      // Computed for an unknown account too: the time of the answer must not tell which accounts exist.
      const expected = tagsOf(device, realm, user)
      const matches = tags.flatMap((tag) => expected.filter((one) => constantTimeEqual(tag, one)))
      const tagged = matches.length > 0
      const usable = user !== null && user.disabled_at === null
      return tagged && usable ? device : null
    },
    remember(request, realm, user) {
      const { device = randomBytes(16).toString('base64url'), tags } = read(request, realm)
      const accepted = tagsOf(device, realm, user)
      const [newest] = accepted
      const others = tags.filter((tag) => !accepted.includes(tag))
      const value = [device, newest, ...others].slice(0, 1 + MAX_ACCOUNTS_PER_DEVICE).join('.')
      return cookie.write(realm, value, DEVICE_COOKIE_SECONDS)
    },
  }
}
