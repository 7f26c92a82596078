/** JSON that a person wrote: where it stops being JSON, in lines and columns. */

const SPACE = /[ \t\r\n]*/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 §7 forbids them in strings
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y

/** A text is JSON, or has a place (both counted from 1) where it stops being so. */
export type Json = { value: unknown } | { line: number; column: number }

/** The runtimes' own messages differ, mostly lack the place, and quote the text, which may hold secrets. */
export function parseJson(text: string): Json {
  const bare = text.replace(/^\uFEFF/, '')
  try {
    return { value: JSON.parse(bare) }
  } catch {
    const lines = bare.slice(0, faultyAt(bare)).split('\n')
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
  }
}

/** RFC 8259, read until it no longer holds. */
function faultyAt(text: string): number {
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    at += found?.[0].length ?? 0
    return found !== null
  }
  const mark = (character: string): boolean => {
    take(SPACE)
    if (text[at] !== character) return false
    at++
    return take(SPACE)
  }
  const list = (end: string, item: () => boolean): boolean => {
    if (mark(end)) return true
    do if (!item()) return false
    while (mark(','))
    return mark(end)
  }
  const member = () => take(STRING) && mark(':') && value()
  const value = (): boolean => {
    take(SPACE)
    if (mark('{')) return list('}', member)
    if (mark('[')) return list(']', value)
    return take(STRING) || take(NUMBER) || take(WORD)
  }
  if (value()) take(SPACE)
  return at
}
