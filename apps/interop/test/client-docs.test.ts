/**
 * The code in docs/clients.md, docs/single-page-app.md and docs/sender-constrained.md, and under "CORS" in docs/protect-an-api.md, is
 * part of programs that tests run.
 */

import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { missingParts, type ShownCode, shownCode } from './shown-code.ts'

const PAGES = [
  'docs/clients.md',
  'docs/single-page-app.md',
  'docs/protect-an-api.md',
  'docs/sender-constrained.md',
]
const blocks = PAGES.flatMap(shownCode).filter(({ path }) => path !== '')

it.each(blocks.map((block): [string, ShownCode] => [block.path, block]))(
  'block %#, of %s, stands in the file as it is',
  (_, block) => {
    expect(missingParts(block)).toEqual([])
  },
)

it('shows a part of every client', () => {
  const clients = readdirSync(new URL('../clients/', import.meta.url))
  const shown = blocks.flatMap(({ path }) => /^apps\/interop\/clients\/([\w-]+)\//.exec(path)?.[1] ?? [])
  expect([...new Set(shown)].sort()).toEqual(clients.sort())
})
