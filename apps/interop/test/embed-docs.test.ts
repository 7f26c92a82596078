/** The code in docs/embed-it.md is part of the examples, which run the code flow. */

import { expect, it } from 'vitest'
import { EMBEDDED } from './embedded.ts'
import { missingParts, type ShownCode, shownCode } from './shown-code.ts'

const blocks = shownCode('docs/embed-it.md')
const RUNNING = ['embed-app', ...EMBEDDED.map(({ example }) => example)]
const exampleOf = ({ path }: ShownCode) => /^examples\/([\w-]+)\//.exec(path)?.[1]

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
