/** Until the first release, each page with a command that needs npm says that it does not work yet, and what does. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pages, ROOT } from './fences.ts'

const NOTE =
  '> Not on npm yet: until the first release, run `npx -y pnpm@12.21.0 registry` in a clone, which says how npm finds the packages.'
/** What takes a package of Ostiary from npm. */
const FROM_NPM = /npm (?:create ostiary|install @ostiary\/)|npx @ostiary\//
/** For those who work on Ostiary, in a clone. */
const OF_A_CLONE = ['docs/architecture.md']

const readmes = ['packages', 'apps', 'examples'].flatMap((group) =>
  readdirSync(join(ROOT, group)).map((name) => `${group}/${name}/README.md`),
)
const text = (page: string) => readFileSync(join(ROOT, page), 'utf8')
const all = [...pages(), ...readmes.filter((page) => existsSync(join(ROOT, page)))]
const WITH_COMMANDS = all.filter((page) => FROM_NPM.test(text(page)) && !OF_A_CLONE.includes(page))

const { version } = JSON.parse(text('packages/core/package.json'))
const isReleased = version !== '0.0.0'

it('the pages are found', () => {
  expect(WITH_COMMANDS).toContain('README.md')
  expect(WITH_COMMANDS).toContain('apps/node-server/README.md')
})

it.each(WITH_COMMANDS)('%s says whether the packages are on npm', (page) => {
  const notes = text(page).match(/^.*\bnot (?:yet )?(?:on npm|published)\b.*$/gim) ?? []
  expect(notes).toEqual(isReleased ? [] : [NOTE])
})

it('no other page says it', () => {
  const others = all.filter((page) => !WITH_COMMANDS.includes(page) && text(page).includes(NOTE))
  expect(others).toEqual([])
})
