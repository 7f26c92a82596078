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

interface Entry<T> {
  value: T
  before: Entry<T> | null
  after: Entry<T> | null
}

export function openList<T>(): OpenList<T> {
  let first: Entry<T> | null = null
  let last: Entry<T> | null = null

  function remove(entry: Entry<T>): void {
    const { before, after } = entry
    if (before) before.after = after
    else if (first === entry) first = after
    if (after) after.before = before
    else if (last === entry) last = before
    // An entry that has left must not keep the next one alive.
    entry.before = null
    entry.after = null
  }

  return {
    add(value) {
      const entry: Entry<T> = { value, before: last, after: null }
      if (last) last.after = entry
      else first = entry
      last = entry
      return () => remove(entry)
    },
    values() {
      const found: T[] = []
      for (let entry = first; entry; entry = entry.after) found.push(entry.value)
      return found
    },
  }
}
