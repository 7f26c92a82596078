/** What the memory stores are made of. */

/** How many records of each kind one `purge` forgets at most. */
const MAX_PURGED = 1000

export interface Purgeable {
  purge(now: number): number
}

/** A copy of a record: of plain data, as JSON has it. structuredClone takes ten times as long. */
export function copied<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copied) as T
  const copy = { ...value }
  for (const name in copy) {
    const member = copy[name]
    if (typeof member === 'object') copy[name] = copied(member)
  }
  return copy
}

export const copyOf = <T>(record: T | undefined): T | null => (record === undefined ? null : copied(record))

/** One name for several parts; no two different lists of parts share it. */
export function nameOf(...parts: (string | number)[]): string {
  return JSON.stringify(parts)
}

/** The first `limit` that are wanted; looks no further than it must. */
export function firstOf<T>(records: Iterable<T>, wanted: (record: T) => boolean, limit = MAX_PURGED): T[] {
  const found: T[] = []
  for (const record of records) {
    if (found.length >= limit) break
    if (wanted(record)) found.push(record)
  }
  return found
}

/** Several records under one name; a name without records takes no room. */
export function multimap<T>() {
  const sets = new Map<string, Set<T>>()
  return {
    get: (name: string): T[] => [...(sets.get(name) ?? [])],
    add(name: string, record: T): void {
      sets.set(name, (sets.get(name) ?? new Set<T>()).add(record))
    },
    delete(name: string, record: T): void {
      sets.get(name)?.delete(record)
      if (sets.get(name)?.size === 0) sets.delete(name)
    },
  }
}
