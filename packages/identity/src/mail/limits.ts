/** The limits of mails in an hour, and the keys of their counters. The page does not tell that one was reached. */

import { addressKeys, PEER_LIMIT_FACTOR, type Sender } from '@ostiary/core'
import type { MailLimitName } from '../events.js'
import type { RealmMail } from '../outbox/mail-options.js'
import { type LimitedCounter, type LimitReached, type Reservation, reserveIn } from '../sign-in/attempts.js'
import type { MailParts } from '../sign-in/context.js'

const WINDOW_SECONDS = 3600
const MAX_OF_ACCOUNT = 3
const MAX_OF_ADDRESS = 10
/** Of signed-in users, who change their own account. */
const MAX_NOTICES_OF_ACCOUNT = 20
const DEFAULT_PER_HOUR = 1000
/** An IPv6 /48 has this many times the limit of a /64. */
const SITE_LIMIT_FACTOR = 4
/** The part of the realm's mails that one address may cause; an IPv6 /48 counts as one. */
const ADDRESS_SHARE = 0.05
/** The part of the realm's mails for browsers that have not signed in to the account before. */
const STRANGERS_SHARE = 0.75

/** A mail that a browser without a session asks for. */
export interface MailRequest extends Sender {
  /** The realm's id. */
  realm: string
  /** As it was typed: there may be no such account. */
  username_key: string
  /** The id of a device that has signed in to this account; otherwise null. */
  device: string | null
}

type Limits = Pick<MailParts, 'throttle' | 'hash'> & { settings: Pick<RealmMail, 'per_hour'> }
type MailLimit = Promise<Reservation | LimitReached<MailLimitName>>

/** Counts the mail, unless a limit is reached. @param now Epoch seconds. */
export const reserveMail = (limits: Limits, request: MailRequest, now: number): MailLimit =>
  reserveIn(limits.throttle, requestCounters(limits, request), now)

/** Counts a notice to a signed-in user. @param now Epoch seconds. */
export const reserveNotice = (
  limits: Limits,
  { realm, sub }: { realm: string; sub: string },
  now: number,
): MailLimit => reserveIn(limits.throttle, [noticeCounter(limits, realm, sub), realmCounter(limits, 1)], now)

/** Of the notices to a user. */
export const noticeCounter = ({ hash }: Pick<Limits, 'hash'>, realm: string, sub: string) =>
  counter('mail_account', `notice:${hash('mail', realm, sub)}`, MAX_NOTICES_OF_ACCOUNT)

/** Counts an invitation by an operator, who has all mails of the realm, as signed-in users have. @param now Epoch seconds. */
export const reserveInvitation = (
  limits: Limits,
  account: Pick<MailRequest, 'realm' | 'username_key'>,
  now: number,
): MailLimit =>
  reserveIn(limits.throttle, [accountCounters(limits, account).ofOperators, realmCounter(limits, 1)], now)

const counter = (limit: MailLimitName, owner: string, maximum: number): LimitedCounter<MailLimitName> => ({
  limit,
  key: `mail:${limit}:${owner}`,
  window: WINDOW_SECONDS,
  maximum,
})

const perHour = ({ settings }: Limits): number => settings.per_hour ?? DEFAULT_PER_HOUR

/** One counter for all mails of the realm: strangers are refused before it is full. */
const realmCounter = (limits: Limits, share: number) =>
  counter('mail_realm', '', Math.ceil(perHour(limits) * share))

/**
 * The address comes first: once its limit is reached, no counters are stored for the names that it tries. A known device has a counter of
 * its own, so that requests from elsewhere do not take the owner's mails.
 */
function requestCounters(limits: Limits, request: MailRequest): LimitedCounter<MailLimitName>[] {
  const { realm, device } = request
  const { ofStrangers, ofDevices } = accountCounters(limits, request)
  if (device !== null)
    return [
      { ...ofDevices, key: `${ofDevices.key}${limits.hash('mail', realm, device)}` },
      realmCounter(limits, 1),
    ]
  return [...networkCounters(limits, request), ofStrangers, realmCounter(limits, STRANGERS_SHARE)]
}

/** Of the mails to a username. The key of the devices begins those of each. */
export function accountCounters(
  { hash }: Pick<Limits, 'hash'>,
  { realm, username_key }: Pick<MailRequest, 'realm' | 'username_key'>,
) {
  const account = hash('mail', realm, username_key)
  return {
    ofStrangers: counter('mail_account', account, MAX_OF_ACCOUNT),
    ofDevices: counter('mail_device', `${account}:`, MAX_OF_ACCOUNT),
    /** Invitations. */
    ofOperators: counter('mail_account', `invite:${account}`, MAX_OF_ACCOUNT),
  }
}

/** The widest network first. Without an address there is none: all clients would share one counter. */
export function networkCounters(
  limits: Limits,
  { realm, address, peer }: Pick<MailRequest, 'realm' | 'address' | 'peer'>,
): LimitedCounter<MailLimitName>[] {
  if (address === null) return []
  const hashed = (network: string) => limits.hash('mail', realm, network)
  const share = Math.ceil(perHour(limits) * ADDRESS_SHARE)
  const keys = addressKeys(address)
  const ofPeer =
    peer === null
      ? []
      : [
          counter(
            'mail_peer',
            hashed(addressKeys(peer).address),
            Math.min(MAX_OF_ADDRESS, share) * PEER_LIMIT_FACTOR,
          ),
        ]
  const ofSite =
    keys.site === null
      ? []
      : [counter('mail_site', hashed(keys.site), Math.min(MAX_OF_ADDRESS * SITE_LIMIT_FACTOR, share))]
  return [
    ...ofPeer,
    ...ofSite,
    counter('mail_address', hashed(keys.address), Math.min(MAX_OF_ADDRESS, share)),
  ]
}
