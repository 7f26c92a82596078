/** The code in docs/embed-it.md is part of the examples, which run the code flow. */

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { EMBEDDED } from './embedded.ts'

const ROOT = new URL('../../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')
const blocks = [...read('docs/embed-it.md').matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
const RUNNING = ['embed-app', ...EMBEDDED.map(({ example }) => example)]

/** Indentation does not count. */
const lines = (code: string): string =>
  code
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()

it.each(blocks.map(([, language = '', code = '']) => [code.split('\n')[0] ?? '', language, code]))(
  'block %#, of %s, stands in the example as it is',
  (first, language, code) => {
    expect(language).toBe('ts')
    const path = /^\/\/ (examples\/([\w-]+)\/.+)$/.exec(first)
    expect(RUNNING).toContain(path?.[2])
    const source = lines(read(encodeURI(path?.[1] ?? '')))
    // A line with an ellipsis leaves something out.
    for (const part of code.slice(first.length).split(/^\/\/ …$/m)) expect(source).toContain(lines(part))
  },
)

it('shows a part of every example', () => {
  const shown = blocks.map(([, , code = '']) => /examples\/([\w-]+)/.exec(code)?.[1])
  expect(new Set(shown)).toEqual(new Set(RUNNING))
})
