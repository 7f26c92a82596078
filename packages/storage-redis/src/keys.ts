/**
 * Key names: `<prefix>{<realm>}:<kind>:<id>`. The braces are a hash tag of Redis Cluster: all keys of a realm are in one
 * slot, so a script may use several of them.
 */

/** The beginning of every key of one realm. Scripts that compute the names of keys get it as one of their keys. */
export type Root = string

export function realmRoot(prefix: string, realm: string): Root {
  return `${prefix}{${encodeURIComponent(realm)}}:`
}

/** A key of the same realm that no store writes. */
export function neverStored(key: string): string {
  return `${key.slice(0, key.indexOf('}') + 1)}:never-stored`
}

/** Joins parts to one name. Different lists of parts never get the same name. */
export function nameOf(...parts: (string | number)[]): string {
  return JSON.stringify(parts)
}

const HOUR_SECONDS = 3600
/** For records that wait for `provider.tick()`, i.e. sessions and logout deliveries: Redis must keep them in a long outage. */
export const WEEK_SECONDS = 7 * 24 * HOUR_SECONDS

/**
 * The time to live, in seconds, of a record that core needs until `expires_at`. Core checks the expiry itself, by its
 * own clock; Redis uses the real time. So the result includes a margin, and is positive even when `expires_at` has passed.
 */
export function ttlUntil(expires_at: number, margin_seconds = HOUR_SECONDS): number {
  return Math.max(0, Math.ceil(expires_at - realNow())) + margin_seconds
}

/** The real time in epoch seconds: Redis counts times to live from it. */
export function realNow(): number {
  return Math.floor(Date.now() / 1000)
}
