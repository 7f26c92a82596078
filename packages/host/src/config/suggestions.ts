/** "Did you mean": the name that was probably meant. */

import type { ConfigFault } from '@ostiary/core'
import { distance } from 'fastest-levenshtein'

/** The nearest candidate, or null when none is near enough. */
export function closest(word: string, candidates: readonly string[]): string | null {
  const limit = Math.max(2, Math.floor(word.length / 4))
  const [best] = candidates
    .map((name) => ({ name, edits: distance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best && best.edits <= limit && best.edits < word.length ? best.name : null
}

/** A fault of an unknown key, with the key that was probably meant, if one is near; any other fault as it is. */
export function withSuggestion(fault: ConfigFault, keysAt: (path: string) => readonly string[]): ConfigFault {
  const { path, message, unknown_key } = fault
  if (unknown_key === undefined) return fault
  const group = path.slice(0, Math.max(0, path.length - unknown_key.length - 1))
  const suggestion = closest(unknown_key, keysAt(group))
  return suggestion === null ? fault : { ...fault, message: `${message}; did you mean ${suggestion}?` }
}
