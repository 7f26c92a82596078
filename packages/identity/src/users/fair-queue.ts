/** A bounded queue whose groups take turns. */

export interface FairQueue<T> {
  /**
   * Adds the item. In a full queue, it replaces the newest item of the largest group, if that group has at least two more
   * items than the new item's group. Returns the item that is not in the queue afterwards: the replaced one or the new one;
   * null when the queue had room.
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

  return {
    put(item) {
      if (size < capacity) {
        add(item)
        return null
      }
      const largest = largestGroup()
      const group_size = groups.get(item.group)?.length ?? 0
      // With a difference of one, items of the two groups would replace each other again and again.
      if (largest.length < group_size + 2) return item
      const replaced = largest.pop() ?? null
      size--
      add(item)
      return replaced
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
