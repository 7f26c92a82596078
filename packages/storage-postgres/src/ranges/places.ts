/** Bounds what waits for one range of buckets, and how much of it one sender may cause: a client that sends a tag chooses its range. */

/** Look-ups and statements that run or wait. */
const MAX_PLACES = 1_000

/** Those of one sender: ten senders together take all of them. */
const MAX_PLACES_OF_SENDER = 100

export interface Places {
  /** @returns What gives the place back; null when there is none for this sender. */
  take(sender: string): (() => void) | null
}

export function createPlaces(): Places {
  let taken = 0
  const taken_by = new Map<string, number>()

  function change(sender: string, by: 1 | -1): void {
    taken += by
    const own = (taken_by.get(sender) ?? 0) + by
    if (own === 0) taken_by.delete(sender)
    else taken_by.set(sender, own)
  }

  return {
    take(sender) {
      if (taken >= MAX_PLACES || (taken_by.get(sender) ?? 0) >= MAX_PLACES_OF_SENDER) return null
      change(sender, 1)
      return () => change(sender, -1)
    },
  }
}
