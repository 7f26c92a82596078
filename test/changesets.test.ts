/** Each change that the next release tells of names packages that are published: `changeset version` refuses others, and only then. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './_sources.ts'

const FOLDER = join(ROOT, '.changeset')
/** A line of the front matter. */
const NAMED = /^["']([^"']+)["']: (?:major|minor|patch)$/gm

const published = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(ROOT, group)).flatMap((folder) => {
    const { name, private: is_private } = manifestOf(join(ROOT, group, folder))
    return is_private || name === undefined ? [] : [name]
  }),
)

function manifestOf(folder: string): { name?: string; private?: boolean } {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return {}
  }
}

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && name !== 'README.md')

it.each(files)('.changeset/%s', (file) => {
  const [, front = ''] = readFileSync(join(FOLDER, file), 'utf8').split(/^---$/m)
  const named = [...front.matchAll(NAMED)].map(([, name = '']) => name)
  expect(named).not.toEqual([])
  expect(named.filter((name) => !published.includes(name))).toEqual([])
})
