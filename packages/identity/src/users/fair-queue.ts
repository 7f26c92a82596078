/** A bounded queue whose groups take turns. */

export interface FairQueue<T> {
  /**
   * Adds the item, or, when the queue is full, puts it in the place of the newest item of the largest group. Returns the
   * item that has no place: null, the displaced one, or the new one where that would make the queue no fairer.
   */
  put(item: T): T | null
  /** The oldest item of the group whose turn it is. */
  take(): T | null
  full(): boolean
  size(): number
}

export function fairQueue<T extends { group: string }>(capacity: number): FairQueue<T> {
  // In the order of their turns.
  const groups = new Map<string, T[]>()
  let size = 0

  const add = (item: T) => {
    const own = groups.get(item.group)
    if (own) own.push(item)
    else groups.set(item.group, [item])
    size++
  }

  function largest(): T[] {
    let found: T[] = []
    for (const items of groups.values()) if (items.length > found.length) found = items
    return found
  }

  return {
    put(item) {
      if (size < capacity) {
        add(item)
        return null
      }
      const most = largest()
      const own = groups.get(item.group)?.length ?? 0
      // Between groups that differ by one, newcomers would displace each other without end.
      if (most.length < own + 2) return item
      const displaced = most.pop() ?? null
      size--
      add(item)
      return displaced
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
