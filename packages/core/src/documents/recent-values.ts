/** A map of limited size, for what is kept in memory. */

export interface RecentValues<V> {
  get(key: string): V | undefined
  /** As `get`, and the value is the newest one now. */
  used(key: string): V | undefined
  /** The value is the newest one now; above the limit, the oldest one is dropped. */
  keep(key: string, value: V): void
  delete(key: string): void
  size(): number
}

export function recentValues<V>(max: number): RecentValues<V> {
  const values = new Map<string, V>()
  function keep(key: string, value: V): void {
    values.delete(key)
    values.set(key, value)
    const oldest = values.keys().next().value
    if (values.size > max && oldest !== undefined) values.delete(oldest)
  }
  return {
    get: (key) => values.get(key),
    used(key) {
      const value = values.get(key)
      if (value !== undefined) keep(key, value)
      return value
    },
    keep,
    delete: (key) => void values.delete(key),
    size: () => values.size,
  }
}
