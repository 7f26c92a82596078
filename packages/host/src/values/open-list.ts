/**
 * A list whose members leave in any order, for what changes with each request. In a Set, what has left would stay in memory: V8 links
 * each table of a Set or Map to the one that replaces it, so that a table in the old generation keeps all later ones alive, with what
 * they refer to, until the next full collection of garbage.
 */

export interface OpenList<T> {
  /** Returns a function that removes the value. It may be called several times. */
  add(value: T): () => void
  /** In the order in which they were added. */
  values(): T[]
}

class Entry<T> {
  before: Entry<T> = this
  after: Entry<T> = this
  value: T | undefined
}

export function openList<T>(): OpenList<T> {
  const end = new Entry<T>()
  return {
    add(value) {
      const entry = new Entry<T>()
      entry.value = value
      entry.before = end.before
      entry.after = end
      end.before.after = entry
      end.before = entry
      return () => remove(entry)
    },
    values() {
      const found: T[] = []
      for (let entry = end.after; entry !== end; entry = entry.after) found.push(entry.value as T)
      return found
    },
  }
}

function remove<T>(entry: Entry<T>): void {
  entry.before.after = entry.after
  entry.after.before = entry.before
  // It must not keep the next one alive.
  entry.before = entry
  entry.after = entry
}
