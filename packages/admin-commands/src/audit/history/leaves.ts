/** The parts of a record that change by themselves: a claim, an attribute, a group, any other member as a whole. */

/** A part of a record. */
export interface Leaf {
  member: string
  /** Of a claim, an attribute or a group; null for a whole member. */
  name: string | null
  value: unknown
}

const OBJECTS: readonly string[] = ['claims', 'attributes']
const LISTS: readonly string[] = ['groups']

/** By their names, such as `claims.email`. A group that the user is in has the value true. */
export function leavesOf(members: Iterable<readonly [string, unknown]>): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>()
  for (const [member, value] of members)
    for (const [name, part] of partsOf(member, value))
      leaves.set(name === null ? member : `${member}.${name}`, { member, name, value: part })
  return leaves
}

function partsOf(member: string, value: unknown): [string | null, unknown][] {
  if (value === null || value === undefined) return []
  if (OBJECTS.includes(member)) return Object.entries(value)
  if (LISTS.includes(member)) return (value as string[]).map((name) => [name, true])
  return [[null, value]]
}

/** The member with another part: undefined takes the part away. */
export function withLeaf(stored: unknown, { member, name, value }: Leaf): unknown {
  if (name === null) return value ?? null
  if (LISTS.includes(member)) {
    const others = ((stored ?? []) as string[]).filter((known) => known !== name)
    return value === undefined ? others : [...others, name]
  }
  const parts = new Map(Object.entries(stored ?? {}))
  if (value === undefined) parts.delete(name)
  else parts.set(name, value)
  return Object.fromEntries(parts)
}
