/** The code blocks of README.md and docs/. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export interface Fence {
  language: string
  code: string
  /** The first line of the code. */
  begins: string
}

/** @param page Below the root, e.g. `docs/run-it.md`. */
export function fencesOf(page: string): Fence[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
    begins: code.split('\n', 1)[0] ?? '',
  }))
}

/** The one block of a page whose first line this is; or, where none is, begins so. */
export function fence(page: string, begins: string): string {
  const all = fencesOf(page)
  const exactly = all.filter((each) => each.begins === begins)
  const [found, ...more] = exactly.length > 0 ? exactly : all.filter((each) => each.begins.startsWith(begins))
  if (!found || more.length > 0) throw new Error(`${page}: not one block begins with ${begins}`)
  return found.code
}

export const pages = (): string[] => ['README.md', ...pagesIn('docs'), ...pagesIn('docs/frameworks')]

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
