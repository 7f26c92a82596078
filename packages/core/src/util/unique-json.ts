/** JSON in which no object has a member twice: parsers differ in which of the two counts (RFC 8259 §4, RFC 8725 §2.4). */

export class RepeatedMemberError extends SyntaxError {
  constructor() {
    super('A member is repeated')
    this.name = 'RepeatedMemberError'
  }
}

/** @throws SyntaxError for a text that is no JSON; RepeatedMemberError for one in which a member is repeated. */
export function parseUniqueJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (hasRepeatedMember(text)) throw new RepeatedMemberError()
  return value
}

/** @param text Valid JSON. Each character is read once, but for names with escapes. */
function hasRepeatedMember(text: string): boolean {
  const objects: Set<string>[] = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '{') objects.push(new Set())
    if (character === '}') objects.pop()
    if (character !== '"') continue
    const end = stringEnd(text, at)
    if (isName(text, end)) {
      const names = objects.at(-1)
      const name = JSON.parse(text.slice(at, end))
      if (names?.has(name)) return true
      names?.add(name)
    }
    at = end - 1
  }
  return false
}

/** The index after the closing quotation mark. */
function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** A string before a colon is the name of a member. */
function isName(text: string, end: number): boolean {
  let at = end
  while (' \t\n\r'.includes(text[at] ?? 'x')) at += 1
  return text[at] === ':'
}
