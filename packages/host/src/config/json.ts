/**
 * JSON that a person wrote: comments and trailing commas are allowed. JSON.parse would refuse both; its messages differ
 * by runtime, mostly lack the position, and quote the text, which may hold secrets.
 */

import { getNodeValue, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

/** The value, or the first fault with its position, counted from 1. */
export type ParsedJson = { value: unknown } | { fault: string; line: number; column: number }

export function parseJson(text: string): ParsedJson {
  const json = text.replace(/^\uFEFF/, '')
  const errors: ParseError[] = []
  // Not `parse`, which would set the prototype of an object that has a key `__proto__`.
  const tree = parseTree(json, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first === undefined) return { value: tree && getNodeValue(tree) }
  const lines = json.slice(0, first.offset).split('\n')
  return {
    fault: `this is not JSON: ${faultText(first)}`,
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
  }
}

/** `CommaExpected` as "comma expected". */
const faultText = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim()
