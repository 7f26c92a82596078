/**
 * The files `*.long.test.ts` run: the script `test:long` of each package takes its own. A workflow runs those that need root,
 * `*.mount.test.ts`.
 */

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './_sources.ts'

const FILES = execFileSync('git', ['ls-files', '*.long.test.ts'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)

it.each(FILES)('%s is run by test:long', (file) => {
  const folder = file.split('/').slice(0, 2).join('/')
  const { scripts } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const script: string = scripts['test:long'] ?? ''
  expect(script).toContain('OSTIARY_LONG=1')
  // Vitest takes the files whose paths contain one of the words; without a word, all.
  const [, words = ''] = script.split('vitest run')
  const filters = words.split(' ').filter((word) => word !== '')
  expect(filters.length === 0 || filters.some((filter) => file.includes(filter))).toBe(true)
})

it('a workflow runs the files that mount a disk', () => {
  const folder = join(ROOT, '.github/workflows')
  const workflows = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const files = execFileSync('git', ['ls-files', '*.mount.test.ts'], { cwd: ROOT, encoding: 'utf8' })
  const packages = new Set(files.split('\n').flatMap((file) => /^apps\/([^/]+)\//.exec(file)?.[1] ?? []))
  expect([...packages]).toEqual(['fault-tests'])
  for (const name of packages)
    expect(workflows.some((text) => text.includes(`--filter @ostiary/${name} run test:mount`))).toBe(true)
})
