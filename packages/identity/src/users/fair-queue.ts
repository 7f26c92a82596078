/** A bounded queue whose groups take turns. */

import { randomInt } from 'node:crypto'

export interface FairQueue<T> {
  /**
   * Adds the item. In a full queue, it replaces the newest item of the largest group, if that group has at least two more
   * items than the new item's group. Otherwise the place is drawn: among the new item and the newest items of the groups that
   * are larger than its own. So a new group has a chance in a queue of groups with one item each. Returns the item that is
   * not in the queue afterwards: the replaced one or the new one; null when the queue had room.
   */
  put(item: T): T | null
  /** Removes the oldest item of the group whose turn it is; null when the queue is empty. */
  take(): T | null
  full(): boolean
  size(): number
}

/** @param draw A random whole number from 0 on that is less than its argument. */
export function fairQueue<T extends { group: string }>(
  capacity: number,
  draw: (below: number) => number = randomInt,
): FairQueue<T> {
  // The order of the entries is the order of the turns.
  const groups = new Map<string, T[]>()
  let size = 0

  const add = (item: T) => {
    const items = groups.get(item.group)
    if (items) items.push(item)
    else groups.set(item.group, [item])
    size++
  }

  function largestGroup(): T[] {
    let largest: T[] = []
    for (const items of groups.values()) if (items.length > largest.length) largest = items
    return largest
  }

  /** The group whose newest item loses; null when the new item does. */
  function drawn(group_size: number): T[] | null {
    const larger = [...groups.values()].filter((items) => items.length > group_size)
    return larger[draw(larger.length + 1)] ?? null
  }

  function replace(items: T[], item: T): T | null {
    const replaced = items.pop() ?? null
    if (replaced !== null && items.length === 0) groups.delete(replaced.group)
    size--
    add(item)
    return replaced
  }

  return {
    put(item) {
      if (size < capacity) {
        add(item)
        return null
      }
      const largest = largestGroup()
      const group_size = groups.get(item.group)?.length ?? 0
      // With a difference of one, items of the two groups would replace each other again and again: there, the place is drawn.
      const replaced = largest.length < group_size + 2 ? drawn(group_size) : largest
      if (replaced === null) return item
      return replace(replaced, item)
    },
    take() {
      const [first] = groups
      if (!first) return null
      const [group, items] = first
      const item = items.shift() ?? null
      groups.delete(group)
      if (items.length > 0) groups.set(group, items)
      size--
      return item
    },
    full: () => size >= capacity,
    size: () => size,
  }
}
