/**
 * JSON that a person wrote: comments and trailing commas are allowed. JSON.parse would refuse both; its messages differ
 * by runtime, mostly lack the position, and quote the text, which may hold secrets.
 */

import type { ParseError } from 'jsonc-parser'

export type ParsedJson = { value: unknown } | { fault: string; line: number; column: number }

/** The value, or the first fault with its position, counted from 1. The parser, which takes 4 MB, is loaded with the first text that is not plain JSON. */
export async function parseJson(text: string): Promise<ParsedJson> {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return { value: JSON.parse(json) }
  } catch {
    // Comments, trailing commas, or a fault: told below.
  }
  const { getNodeValue, parseTree, printParseErrorCode } = await import('jsonc-parser')
  const errors: ParseError[] = []
  // Not `parse`, which would set the prototype of an object that has a key `__proto__`.
  const tree = parseTree(json, errors, { allowTrailingComma: true })
  const [first] = errors
  if (!first) return { value: tree && getNodeValue(tree) }
  const lines = json.slice(0, first.offset).split('\n')
  return {
    fault: `this is not JSON: ${asWords(printParseErrorCode(first.error))}`,
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
  }
}

/** `CommaExpected` as "comma expected". */
const asWords = (name: string): string => name.replace(/\B[A-Z]/g, ' $&').toLowerCase()
