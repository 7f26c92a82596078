/** Lists and resets the counters of mails, for operators. Their keys contain keyed hashes, not names. */

import { usernameKey } from '@ostiary/core/common'
import {
  type LoginThrottleOptions,
  type LoginThrottleSelection,
  throttleHash,
} from '../sign-in/login-throttles.js'
import { accountCounters, networkCounters, noticeCounter } from './limits.js'

/** A counter of mails whose window has not ended. */
export interface MailThrottle {
  /** That of the event, with the mails that it counts alone. */
  limit: string
  /** Mails in this window. */
  mails: number
  /** After this many mails, no further one is stored. */
  maximum: number
  /** The end of the window, in epoch seconds. */
  until: number
}

/** The username may be of invitations, and need not be that of an account. */
export interface MailThrottleSelection extends LoginThrottleSelection {
  /** Of the notices to this user. */
  sub?: string
}

/** The counters of the mails of one realm. */
export interface MailThrottles {
  /** The counters that have a mail. @param now Epoch seconds. */
  list(selection: MailThrottleSelection, now: number): Promise<MailThrottle[]>
  /** Returns how many counters were reset. */
  reset(selection: MailThrottleSelection): Promise<number>
}

/** The options of `mailThrottles`: those of `createIdentity`, for one realm. */
export interface MailThrottleOptions extends Omit<LoginThrottleOptions, 'limits'> {
  /** That of the realm's mail. */
  per_hour?: number
}

const named = ({ limit, ...counter }: ReturnType<typeof noticeCounter>, mails: string) => ({
  ...counter,
  limit: `${limit} (${mails})`,
})

/** Lists and resets the counters of the mails of one realm. */
export function mailThrottles({ realm, throttle, secret, ...settings }: MailThrottleOptions): MailThrottles {
  const limits = { throttle, hash: throttleHash(secret), settings }
  const countersOf = ({ username, sub, address }: MailThrottleSelection) => {
    const username_key = username === undefined ? null : usernameKey(username)
    // An address is looked for as that of a client, and as that of a peer that claims others.
    const networks = address === undefined ? [] : networkCounters(limits, { realm, address, peer: address })
    const account = username_key === null ? null : accountCounters(limits, { realm, username_key })
    return [
      ...(account === null
        ? []
        : [account.ofStrangers, account.ofDevices, named(account.ofOperators, 'invitations')]),
      ...(sub === undefined ? [] : [named(noticeCounter(limits, realm, sub), 'notices')]),
      ...networks,
    ]
  }
  return {
    async list(selection, now) {
      const listed = countersOf(selection).map(async ({ limit, key, maximum }) => {
        const windows = await throttle.list(key, now)
        return windows
          .filter(({ hits }) => hits > 0)
          .map(({ hits, ends_at }) => ({ limit, mails: hits, maximum, until: ends_at }))
      })
      return (await Promise.all(listed)).flat()
    },
    async reset(selection) {
      let reset = 0
      for (const { key } of countersOf(selection)) reset += await throttle.reset(key)
      return reset
    },
  }
}
