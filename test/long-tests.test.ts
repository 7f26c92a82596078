/**
 * The files `*.long.test.ts` and `*.weekly.test.ts` run: the scripts `test:long` and `test:weekly` of each package take their own.
 * A workflow runs those that need root, `*.mount.test.ts`.
 */

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './_sources.ts'

const filesOf = (ring: string): string[] =>
  execFileSync('git', ['ls-files', `*.${ring}.test.ts`], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)

/** The script of the package that has the file. */
function scriptOf(ring: string, file: string): string {
  const folder = file.split('/').slice(0, 2).join('/')
  const { scripts } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  return scripts[`test:${ring}`] ?? ''
}

/** Vitest takes the files whose paths contain one of the words; without a word, all. */
function takes(script: string, file: string): boolean {
  const [, words = ''] = script.split('vitest run')
  const filters = words
    .replace(/--project \S+/, '')
    .split(' ')
    .filter((word) => word !== '')
  return filters.length === 0 || filters.some((filter) => file.includes(filter))
}

it.each(filesOf('long'))('%s is run by test:long', (file) => {
  const script = scriptOf('long', file)
  expect(script).toContain('OSTIARY_LONG=1')
  expect(takes(script, file)).toBe(true)
})

it.each(filesOf('weekly'))('%s is run by test:weekly, and not by test:long', (file) => {
  const script = scriptOf('weekly', file)
  expect(script).toContain('OSTIARY_LONG=1')
  expect(takes(script, file)).toBe(true)
  const long = scriptOf('long', file)
  expect(long !== '' && takes(long, file)).toBe(false)
})

it('a workflow runs what is weekly', () => {
  const text = readFileSync(join(ROOT, '.github/workflows/weekly.yml'), 'utf8')
  expect(text).toContain('cron:')
  expect(text).toMatch(/^ {6}- run: npx -y pnpm@[\d.]+ test:weekly$/m)
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
