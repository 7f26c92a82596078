/** Every command and snippet in README.md and docs/ is run by a test, or has a reason why not. */

import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { fileSchema } from '../../../packages/host/src/config/file-schema.ts'
import { ACCOUNTS, WHOLE } from './accounts.ts'
import { fencesOf, pages, ROOT } from './fences.ts'
import { compile } from './snippets.ts'

const accounted = pages().filter((page) => !(page in WHOLE))
const lists = Object.entries(ACCOUNTS)
/** The blocks that have this entry, each with its page. */
const having = (key: string) =>
  lists.flatMap(([page, list]) =>
    fencesOf(page).flatMap((block, i) => {
      const how = list[i]?.[1]
      return how && key in how ? [{ page, how, ...block }] : []
    }),
  )

it.each(accounted)('each block of %s is accounted for in accounts.ts, in its order', (page) => {
  const list = ACCOUNTS[page] ?? []
  const found = fencesOf(page).map(({ begins }, i) => {
    const entry = list[i]?.[0]
    return entry !== undefined && begins.startsWith(entry) ? entry : begins
  })
  expect(found).toEqual(list.map(([begins]) => begins))
})

it('each entry of accounts.ts matches a block', () => {
  expect(lists.map(([page]) => page).filter((page) => !pages().includes(page))).toEqual([])
})

it('each test that accounts.ts names for a block reads the page of the block', () => {
  const claims = [
    ...Object.entries(WHOLE).filter(([page]) => pages().includes(page)),
    ...lists.flatMap(([page, list]) =>
      list.flatMap(([, how]): [string, string][] => ('runs' in how ? [[page, how.runs]] : [])),
    ),
  ]
  const reads = ([page, test]: [string, string]) =>
    existsSync(join(ROOT, test)) && readFileSync(join(ROOT, test), 'utf8').includes(basename(page))
  const packed = 'packages/resource-server/test/pack.long.test.ts'
  // It installs the package itself and does not read the page.
  expect(claims.filter(([, test]) => test !== packed).filter((each) => !reads(each))).toEqual([])
})

it('every JSON block is a configuration that passes the schema', () => {
  const blocks = pages().flatMap((page) => fencesOf(page).filter(({ language }) => language === 'json'))
  expect(having('configures')).toHaveLength(blocks.length)
  for (const { page, code } of having('configures')) {
    const { error } = fileSchema.safeParse(JSON.parse(code))
    expect(error?.message, page).toBeUndefined()
  }
})

it('each block that is part of a file compiles', async () => {
  const parts = having('compiles').map(({ code, how }, i) => {
    const before = 'compiles' in how ? how.compiles : ''
    return { name: `part-${i}.ts`, code: `${before}${code}` }
  })
  expect(parts.length).toBeGreaterThan(0)
  const { remove } = await compile(parts)
  remove()
})
