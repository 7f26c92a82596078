/** The code in docs/embed-it.md is part of the examples, which run the code flow. */

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { EMBEDDED_EXAMPLES } from './embedded.ts'
import { missingParts, type ShownCode, shownCode } from './shown-code.ts'

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const blocks = shownCode('docs/embed-it.md').filter(({ language }) => language !== 'sh')
const commands = [...read('docs/embed-it.md').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) =>
  code.trim(),
)
const RUNNING = ['embed-app', 'embed-start', ...EMBEDDED_EXAMPLES]
const exampleOf = ({ path }: ShownCode) => /^examples\/([\w-]+)\//.exec(path)?.[1]

it('installs what the first programs import', () => {
  const { dependencies } = JSON.parse(read('examples/embed-start/package.json'))
  expect(commands[0]?.split(' ').slice(2).sort()).toEqual(Object.keys(dependencies).sort())
})

it('creates a project as the README of create-ostiary does; its own tests run it', () => {
  const readme = read('packages/create-ostiary/README.md')
  expect(commands.slice(1).map((command) => readme.includes(command))).toEqual([true])
})

it.each(blocks.map((block): [string, ShownCode] => [block.path, block]))(
  'block %#, of %s, stands in the example as it is',
  (_, block) => {
    expect(block.language).toBe('ts')
    expect(RUNNING).toContain(exampleOf(block))
    expect(missingParts(block)).toEqual([])
  },
)

it('shows a part of every example', () => {
  expect(new Set(blocks.map(exampleOf))).toEqual(new Set(RUNNING))
})
