/** The sections of docs/embed-it.md, each as the files and the commands that a reader copies. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './fences.ts'

export const PAGE = 'docs/embed-it.md'

export interface Section {
  /** Whole files, by their names. */
  files: Record<string, string>
  /** The blocks of shell commands. */
  commands: string[]
}

/** Where the parts of files begin: before this heading, each block of code is a whole file. */
const PARTS = '## What you supply'

const text = readFileSync(join(ROOT, PAGE), 'utf8')
const whole = text.slice(0, text.indexOf(PARTS))

function sectionOf(part: string): Section {
  const section: Section = { files: {}, commands: [] }
  for (const [, language, code = ''] of part.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const [line = '', name] = /^\/\/ (.+\.ts)\n/.exec(code) ?? []
    if (language === 'sh') section.commands.push(code.trim())
    else if (language === 'ts' && name) section.files[name] = code.slice(line.length)
    else throw new Error(`${PAGE}: neither a file nor commands: ${code}`)
  }
  return section
}

/** By heading, in the order of the page. */
export const SECTIONS: ReadonlyMap<string, Section> = new Map(
  whole
    .split(/^## /m)
    .slice(1)
    .map((part) => [part.split('\n', 1)[0] ?? '', sectionOf(part)]),
)

export function section(heading: string): Section {
  const found = SECTIONS.get(heading)
  if (!found) throw new Error(`${PAGE} has no section ${heading}`)
  return found
}

/** The blocks behind the sections: parts of their files. Empty where a block names no file of the page. */
export function parts(): { name: string; lines: string[] }[] {
  const blocks = [...text.slice(text.indexOf(PARTS)).matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
  return blocks.map(([, code = '']) => {
    const [line = '', name = ''] = /^\/\/ (.+\.ts)\n/.exec(code) ?? []
    return { name, lines: code.slice(line.length).split(/^\/\/ …$/m) }
  })
}
