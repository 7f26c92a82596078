/** JSON merge patch: RFC 7396. */

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members that a patch names, merged with those of the record; null stays. */
export const mergedMembers = (record: object, patch: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(patch).map(([name, value]) => [
      name,
      mergePatch((record as Record<string, unknown>)[name], value),
    ]),
  )

/** The target with the patch: null removes a member, an object is merged, everything else replaces. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}
