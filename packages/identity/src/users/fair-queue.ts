/** A bounded queue whose groups take turns. */

export interface FairQueue<T> {
  /**
   * Adds the item. When the queue is full, the item replaces the newest one of the largest group, if that group has at least
   * two more than the item's own. Returns the item without a place: null, the replaced one or the new one.
   */
  put(item: T): T | null
  /** Removes the oldest item of the group whose turn it is; null when the queue is empty. */
  take(): T | null
  full(): boolean
  size(): number
}

export function fairQueue<T extends { group: string }>(capacity: number): FairQueue<T> {
  // The order of the entries is the order of the turns.
  const groups = new Map<string, T[]>()
  let size = 0

  const add = (item: T) => {
    const own = groups.get(item.group)
    if (own) own.push(item)
    else groups.set(item.group, [item])
    size++
  }

  function largestGroup(): T[] {
    let largest: T[] = []
    for (const items of groups.values()) if (items.length > largest.length) largest = items
    return largest
  }

  return {
    put(item) {
      if (size < capacity) {
        add(item)
        return null
      }
      const most = largestGroup()
      const own = groups.get(item.group)?.length ?? 0
      // With a difference of one, items of the two groups would replace each other again and again.
      if (most.length < own + 2) return item
      const replaced = most.pop() ?? null
      size--
      add(item)
      return replaced
    },
    take() {
      const [turn] = groups
      if (!turn) return null
      const [group, items] = turn
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
