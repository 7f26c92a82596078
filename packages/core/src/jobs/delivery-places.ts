/**
 * The places of the deliveries of one process. An attempt begins at a quick place. After SLOW_MS without an answer it moves
 * to a slow place, if there is one, and its quick place is free for another delivery. A host whose last attempt has timed out
 * begins at a slow place: receivers that do not answer hold at most half of all places.
 */

/** Quick places, and slow places. */
const MAX_PLACES = 100
/** Quick places of one realm, and slow places of one realm. */
const MAX_PER_REALM = 25
/** Deliveries under way to one host, and at quick places for one user. */
export const MAX_PER_RECEIVER = 5
/** Slow places of one user. */
const MAX_SLOW_PER_USER = 10
/** Hosts that are remembered because their last attempt has timed out. */
const MAX_SLOW_HOSTS = 1000
const SLOW_MS = 1000

interface Receiver {
  realm: string
  host: string
  sub: string
}

/** To be called at the end of the attempt. */
export type LeavePlace = (end: { timed_out: boolean }) => void

export interface DeliveryPlaces {
  /** Reserves quick places for a claim of this realm, until `release`. Returns their number. */
  reserve(realm: string): number
  release(realm: string, room: number): void
  /** The hosts, and the users of this realm, that get no more places now. */
  full(realm: string): { hosts: string[]; subs: string[] }
  take(receiver: Receiver): LeavePlace
}

/** @param freed Called when a quick place is free that an attempt still under way has left. */
export function deliveryPlaces(freed: () => void): DeliveryPlaces {
  const quick = placeGroup({ per_user: MAX_PER_RECEIVER })
  const slow = placeGroup({ per_user: MAX_SLOW_PER_USER })
  const reserved = counter()
  const hosts = counter()
  const slow_hosts = new Set<string>()
  /** Attempts at quick places that wait for a slow one, oldest first. */
  const overdue = new Set<() => boolean>()

  function moveOverdue(): void {
    for (const move of overdue) if (move()) overdue.delete(move)
  }

  function take(receiver: Receiver): LeavePlace {
    let place = slow_hosts.has(receiver.host) && slow.hasRoom(receiver) ? slow : quick
    place.add(receiver)
    hosts.add(receiver.host)
    const move = (): boolean => {
      if (!slow.hasRoom(receiver)) return false
      quick.remove(receiver)
      slow.add(receiver)
      place = slow
      freed()
      return true
    }
    const onSlow = () => {
      if (!move()) overdue.add(move)
    }
    const timer = place === quick ? setTimeout(onSlow, SLOW_MS) : undefined
    return ({ timed_out }) => {
      clearTimeout(timer)
      overdue.delete(move)
      place.remove(receiver)
      hosts.remove(receiver.host)
      remember(slow_hosts, receiver.host, timed_out)
      moveOverdue()
    }
  }

  return {
    take,
    reserve(realm) {
      const room = Math.min(
        MAX_PLACES - quick.total() - reserved.total(),
        MAX_PER_REALM - quick.ofRealm(realm) - reserved.of(realm),
      )
      reserved.add(realm, Math.max(room, 0))
      return Math.max(room, 0)
    },
    release: (realm, room) => reserved.remove(realm, room),
    full(realm) {
      const unanswered = slow.isFull(realm) ? slow_hosts : []
      return {
        hosts: [...new Set([...hosts.full(MAX_PER_RECEIVER), ...unanswered])],
        subs: quick.fullUsers(realm),
      }
    },
  }
}

/** Keeps the hosts that have timed out last. */
function remember(slow_hosts: Set<string>, host: string, timed_out: boolean): void {
  slow_hosts.delete(host)
  if (timed_out) slow_hosts.add(host)
  const [oldest] = slow_hosts
  if (slow_hosts.size > MAX_SLOW_HOSTS && oldest !== undefined) slow_hosts.delete(oldest)
}

/** MAX_PLACES places, counted by realm and by user. */
function placeGroup({ per_user }: { per_user: number }) {
  const realms = counter()
  const users = counter()
  const isFull = (realm: string) => realms.total() >= MAX_PLACES || realms.of(realm) >= MAX_PER_REALM
  return {
    total: realms.total,
    ofRealm: realms.of,
    isFull,
    hasRoom: ({ realm, sub }: Receiver) => !isFull(realm) && users.of(userKey(realm, sub)) < per_user,
    fullUsers: (realm: string) => users.full(per_user).flatMap((key) => subsOfRealm(realm, key)),
    add({ realm, sub }: Receiver): void {
      realms.add(realm)
      users.add(userKey(realm, sub))
    },
    remove({ realm, sub }: Receiver): void {
      realms.remove(realm)
      users.remove(userKey(realm, sub))
    },
  }
}

const userKey = (realm: string, sub: string): string => JSON.stringify([realm, sub])

/** The `sub` of a user key, as a list: empty when the key belongs to another realm. */
function subsOfRealm(realm: string, key: string): string[] {
  const parts: [string, string] = JSON.parse(key)
  return parts[0] === realm ? [parts[1]] : []
}

function counter() {
  const counts = new Map<string, number>()
  let total = 0
  const change = (name: string, by: number): void => {
    total += by
    const count = (counts.get(name) ?? 0) + by
    if (count > 0) counts.set(name, count)
    else counts.delete(name)
  }
  return {
    add: (name: string, count = 1) => change(name, count),
    remove: (name: string, count = 1) => change(name, -count),
    of: (name: string) => counts.get(name) ?? 0,
    total: () => total,
    full: (limit: number) => [...counts].flatMap(([name, count]) => (count >= limit ? name : [])),
  }
}
