/** The building blocks of the memory stores. */

/** Records of each kind that one `purge` deletes at most. */
const MAX_PURGED = 1000

export interface Purgeable {
  purge(now: number): number
}

/** A deep copy of plain data. structuredClone takes ten times as long. */
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

/** A key made of several parts; different lists of parts have different keys. */
export function nameOf(...parts: (string | number)[]): string {
  return JSON.stringify(parts)
}

/** The first `limit` records that match; stops when it has them. */
export function firstOf<T>(records: Iterable<T>, wanted: (record: T) => boolean, limit = MAX_PURGED): T[] {
  const found: T[] = []
  for (const record of records) {
    if (found.length >= limit) break
    if (wanted(record)) found.push(record)
  }
  return found
}

/** A map with several records for each name. A name without records is deleted. */
export function multimap<T>() {
  const sets = new Map<string, Set<T>>()
  return {
    get: (name: string): T[] => [...(sets.get(name) ?? [])],
    add(name: string, record: T): void {
      const known = sets.get(name)
      if (known) known.add(record)
      else sets.set(name, new Set([record]))
    },
    delete(name: string, record: T): void {
      sets.get(name)?.delete(record)
      if (sets.get(name)?.size === 0) sets.delete(name)
    },
  }
}
