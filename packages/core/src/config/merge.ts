/** Merges groups of configuration keys, before they are checked. */

export const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const MAPS: ReadonlySet<string> = new Set(['resources', 'scopes', 'claims'])

/** Groups merge key by key; a map or a list is replaced as a whole. */
export function merge(base: unknown, over: unknown, key = ''): unknown {
  if (!isGroup(base) || !isGroup(over) || MAPS.has(key)) return over
  const merged: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(over)) merged[name] = merge(base[name], value, name)
  return merged
}
