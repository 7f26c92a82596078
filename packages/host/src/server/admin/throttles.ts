/** The counters of an account or an address: those of sign-ins, of mails and of requests. */

import { counterOf, networksOf, type Realm, shareCounter, shareOf, type Throttle } from '@ostiary/core'
import {
  type LoginLimits,
  type LoginThrottleSelection,
  loginThrottles,
  type UserStore,
  usernameKey,
} from '@ostiary/identity'

/** The realm whose counters they are. */
export interface ThrottlePlace {
  realm: Realm
  throttle: Throttle
  users: UserStore
  /** Of the server. */
  secret: string
  limits: LoginLimits | undefined
  /** Null in a realm that mails nothing. */
  mail: { per_hour: number } | null
}

/** A counter that is not zero. */
export interface ActiveThrottle {
  limit: string
  counted: number
  maximum: number
  /** Epoch seconds. */
  until: number
}

/** @param now Epoch seconds. */
export async function activeThrottles(
  place: ThrottlePlace,
  selection: LoginThrottleSelection,
  now: number,
): Promise<ActiveThrottle[]> {
  const logins = await loginThrottlesOf(place).list(selection, now)
  const requests = await requestThrottles(place, selection, now)
  const mails = await mailThrottlesOf(place, selection)
  const mailed = (await mails?.throttles.list(mails.selection, now)) ?? []
  return [
    ...logins.map(({ limit, failures, maximum, until }) => ({ limit, counted: failures, maximum, until })),
    ...mailed.map(({ limit, mails: counted, maximum, until }) => ({ limit, counted, maximum, until })),
    ...requests.map(({ key: _, ...request }) => request),
  ]
}

/** Returns how many counters were reset. @param now Epoch seconds. */
export async function resetThrottles(
  place: ThrottlePlace,
  selection: LoginThrottleSelection,
  now: number,
): Promise<number> {
  let count = await loginThrottlesOf(place).reset(selection)
  const mails = await mailThrottlesOf(place, selection)
  count += (await mails?.throttles.reset(mails.selection)) ?? 0
  for (const { key } of await requestThrottles(place, selection, now))
    count += await place.throttle.reset(key)
  return count
}

/** The provider's counters of an address. The key of a client-secret counter also contains the client_id. */
async function requestThrottles(
  { throttle, realm }: ThrottlePlace,
  { address }: LoginThrottleSelection,
  now: number,
): Promise<(ActiveThrottle & { key: string })[]> {
  if (address === undefined) return []
  const { register, registrations_per_day, authorize, client_secret } = realm.settings.throttle
  const networks = networksOf({ address, peer: null })
  const perAddress = (limit: string, name: string, maximum: number) =>
    networks.map(({ key, factor }) => ({
      limit: factor === 1 ? limit : `${limit} (/48)`,
      prefix: counterOf(name, key),
      maximum: maximum * factor,
    }))
  const shares = networks.map(({ key, factor, share }) => ({
    limit: factor === 1 ? 'registrations_per_day' : 'registrations_per_day (/48)',
    prefix: shareCounter('registrations', key),
    maximum: shareOf(registrations_per_day, 0, share),
  }))
  const limits = [
    ...perAddress('register', 'register', register),
    ...shares,
    ...perAddress('authorize', 'authorize', authorize),
    ...perAddress('client_secret', 'client-secret', client_secret),
  ]
  const throttles = await Promise.all(
    limits.map(async ({ limit, prefix, maximum }) => {
      const counters = await throttle.list(prefix, now)
      return counters
        .filter(({ hits }) => hits > 0)
        .map(({ key, hits, ends_at }) => ({ key, limit, maximum, counted: hits, until: ends_at }))
    }),
  )
  return throttles.flat()
}

const loginThrottlesOf = ({ realm, throttle, secret, limits }: ThrottlePlace) =>
  loginThrottles({ realm: realm.id, throttle, secret, ...(limits && { limits }) })

/** Null for a realm that mails nothing. */
async function mailThrottlesOf(
  { realm, throttle, users, secret, mail }: ThrottlePlace,
  selection: LoginThrottleSelection,
) {
  if (mail === null) return null
  const { mailThrottles } = await import('@ostiary/identity/mail')
  const throttles = mailThrottles({ realm: realm.id, throttle, secret, per_hour: mail.per_hour })
  const key = usernameKey(selection.username ?? '')
  const user = key && (await users.findByUsername(key))
  return { throttles, selection: { ...selection, ...(user && { sub: user.sub }) } }
}
