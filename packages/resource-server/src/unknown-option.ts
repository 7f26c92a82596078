/** Options that there are not, with the one that was probably meant. */

/** How many characters at the beginning two names have in common; `_` and upper case do not count. */
function commonLength(one: string, other: string): number {
  const [a = '', b = ''] = [one, other].map((name) => name.replaceAll('_', '').toLowerCase())
  const difference = [...a].findIndex((character, at) => character !== b[at])
  return difference === -1 ? a.length : difference
}

/** The longest common beginning, of half the name at least: `scopes_supported` for `scopes`. Null when there is none. */
function meant(name: string, known: readonly string[]): string | null {
  const [best] = known
    .map((candidate) => ({ candidate, common: commonLength(name, candidate) }))
    .sort((a, b) => b.common - a.common || a.candidate.length - b.candidate.length)
  return best && best.common >= Math.max(3, name.length / 2) ? best.candidate : null
}

/** The fault of each key that is none of `known`. @param prefix Of a group: `jwks.`. */
export function unknownOptions(options: object, known: object, prefix = ''): string[] {
  return Object.keys(options)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => {
      const best = meant(name, Object.keys(known))
      return `${prefix}${name}: there is no such option${best === null ? '' : `, did you mean ${best}?`}`
    })
}
