/** The limits of failed sign-ins, and the keys of their counters. */

import { addressKeys, PEER_LIMIT_FACTOR, type Sender } from '@ostiary/core'
import type { CodeLimitName, LoginLimitName } from '../events.js'
import type { KeyedHash } from '../web/keyed-hash.js'

/** How many failed sign-ins are allowed in a window. Successful ones are not counted. */
export interface LoginLimits {
  /**
   * For one account: from one client address (IPv6: a /64), from one browser that has signed in to it before, and in one session;
   * 20 by default. From one address for all accounts, 5 times as many are allowed, and 20 times from one IPv6 /48; for one account
   * from all addresses 10 times, after which only browsers that have signed in to it before may try.
   */
  failures?: number
  /** The length of the window in seconds; 900 by default. */
  window?: number
}

/** The values that `createIdentity` uses for absent members of `LoginLimits`. */
export const DEFAULT_LOGIN_LIMITS: Required<LoginLimits> = { failures: 20, window: 900 }

/** The limits of `LoginLimits`. Those of codes are constants (code-limits.ts). */
export type PasswordLimitName = Exclude<LoginLimitName, CodeLimitName>

/** How many times `failures` a limit allows. */
const FACTORS: Readonly<Record<PasswordLimitName, number>> = {
  peer: 5 * PEER_LIMIT_FACTOR,
  site: 20,
  address: 5,
  account_and_address: 1,
  account: 10,
  device: 1,
  session: 1,
}

export const maximumFailures = ({ failures }: Required<LoginLimits>, limit: PasswordLimitName): number =>
  failures * FACTORS[limit]

/** What a browser has proved before: a sign-in to this account (the device's id) or a live session (its `sid`). */
export type Proof = { kind: 'device' | 'session'; id: string }

export interface Attempt extends Sender {
  realm: string
  /** Unknown usernames are counted too. */
  username_key: string
  /** Null when the host does not know it. Then addresses are not counted, because all clients would share one counter. */
  address: string | null
  /** Null for a browser that has proved nothing. */
  proof: Proof | null
}

export interface Counter {
  limit: PasswordLimitName
  key: string
}

/**
 * The counters of an attempt, in the order of the checks. The address comes first: once its limit is reached, no further
 * counters are stored for the usernames that it tries.
 */
export function countersOf(hash: KeyedHash, attempt: Attempt): Counter[] {
  const { realm, username_key, address, peer, proof } = attempt
  const account = accountPrefix(hash, realm, username_key)
  // Then there is no other counter, so that attempts of other browsers at this address or account do not count.
  if (proof)
    return [{ limit: proof.kind, key: `${account}${proof.kind}:${hash(proof.kind, realm, proof.id)}` }]
  const anyAddress: Counter = { limit: 'account', key: `${account}account` }
  if (address === null) return [anyAddress]
  const from = accountAndAddressKey(hash, attempt, address)
  const claimant = peer === null ? [] : [peerCounter(hash, realm, peer)]
  const networks = [...claimant, ...addressCounters(hash, realm, address)]
  return [...networks, { limit: 'account_and_address', key: from }, anyAddress]
}

/** The prefix of all counters of an account. */
export const accountPrefix = (hash: KeyedHash, realm: string, username_key: string): string =>
  `login:account:${hash('account', realm, username_key)}:`

const accountAndAddressKey = (
  hash: KeyedHash,
  { realm, username_key }: Pick<Attempt, 'realm' | 'username_key'>,
  address: string,
): string =>
  `${accountPrefix(hash, realm, username_key)}account_and_address:${addressHash(hash, realm, address)}`

/** The counters of an address, the wider network first. */
export function addressCounters(hash: KeyedHash, realm: string, address: string): Counter[] {
  const { site } = addressKeys(address)
  const ofAddress: Counter = { limit: 'address', key: `login:address:${addressHash(hash, realm, address)}` }
  return site === null
    ? [ofAddress]
    : [{ limit: 'site', key: `login:site:${hash('site', realm, site)}` }, ofAddress]
}

/** Of a peer that claims addresses. An account needs no counter of the peer: its own limit is lower than ten times an address's. */
export const peerCounter = (hash: KeyedHash, realm: string, peer: string): Counter => ({
  limit: 'peer',
  key: `login:peer:${addressHash(hash, realm, peer)}`,
})

const addressHash = (hash: KeyedHash, realm: string, address: string): string =>
  hash('address', realm, addressKeys(address).address)

const LIMIT_OF_KEY = /^login:(?:account:[\w-]+:)?([a-z_]+)(?::|$)/

/** The limit of failed sign-ins that a counter belongs to, or null. */
export function limitOfKey(key: string): PasswordLimitName | null {
  const [, limit = ''] = LIMIT_OF_KEY.exec(key) ?? []
  return Object.hasOwn(FACTORS, limit) ? (limit as PasswordLimitName) : null
}
