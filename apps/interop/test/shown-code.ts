/** The code of a page, and the files that it is taken from. */

import { readFileSync } from 'node:fs'

const ROOT = new URL('../../../', import.meta.url)
export const readPage = (path: string): string => readFileSync(new URL(encodeURI(path), ROOT), 'utf8')

export interface ShownCode {
  language: string
  /** The file that the first line names, from the root; empty where it names none. */
  path: string
  /** Without the line that names the file; a line with an ellipsis leaves something out. */
  parts: string[]
}

/** Every block of a page. The comment in its first line names a file. */
export const shownCode = (page: string): ShownCode[] =>
  [...readPage(page).matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => {
    const [named = '', path = ''] = /^(?:\/\/|#) ((?:apps|examples)\/.+)\n/.exec(code) ?? []
    return { language, path, parts: code.slice(named.length).split(/^(?:\/\/|#) …$/m) }
  })

/** Indentation does not count. */
export const withoutIndent = (code: string): string =>
  code
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()

/** The parts of a block that do not stand in its file as they are. */
export function missingParts({ path, parts }: ShownCode): string[] {
  const source = withoutIndent(readPage(path))
  return parts.map(withoutIndent).filter((part) => !source.includes(part))
}
