/**
 * Key names: `<prefix>{<realm>}:<kind>:<id>`. The braces are a cluster hash tag: all keys of a realm share one slot,
 * so a script may use several of them.
 */

/** Everything of one realm begins with this. Scripts take it as a key of its own, to name what they find on the way. */
export type Root = string

export function realmRoot(prefix: string, realm: string): Root {
  return `${prefix}{${encodeURIComponent(realm)}}:`
}

/** One name for several parts; no two different lists of parts share it. */
export function nameOf(...parts: (string | number)[]): string {
  return JSON.stringify(parts)
}

const HOUR = 3600
/** What waits for `provider.tick()` outlasts a long outage: sessions to end, logouts to deliver. */
export const WEEK = 7 * 24 * HOUR

/**
 * Seconds until Redis may forget what core needs until `expires_at`. The expiry itself is core's to check, by core's
 * clock; Redis has the real one. So it gets a margin, and counts from now even when core's time is long past.
 */
export function keepFor(expires_at: number, margin = HOUR): number {
  return Math.max(0, Math.ceil(expires_at - realNow())) + margin
}

export function realNow(): number {
  return Math.floor(Date.now() / 1000)
}
