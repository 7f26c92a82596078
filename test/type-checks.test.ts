/**
 * Each package's sources and tests are checked: with those of the other packages in one program, which reads every source once
 * (`tsconfig.sources.json`), or by a script `typecheck` of its own, where its settings are others.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './_sources.ts'

interface Config {
  compilerOptions: Record<string, unknown>
  include: string[]
  exclude?: string[]
}

/** Without the lines that are comments. */
const read = (path: string): Config =>
  JSON.parse(readFileSync(join(ROOT, path), 'utf8').replace(/^ *\/\/.*$/gm, ''))

const SOURCES = read('tsconfig.sources.json')
const FOLDERS = execFileSync('git', ['ls-files', '*/*/tsconfig.json'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)
  .map((path) => path.slice(0, -'/tsconfig.json'.length))
  .filter((folder) => existsSync(join(ROOT, folder, 'package.json')))

const hasScript = (folder: string): boolean =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).scripts?.typecheck !== undefined

/** In an `include` of all, an asterisk in the place of a folder stands for each one. */
const matches = (pattern: string, path: string): boolean => {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return wanted.length === given.length && wanted.every((part, at) => part === '*' || part === given[at])
}

const optionsOf = (folder: string) => ({ allowJs: true, ...read(`${folder}/tsconfig.json`).compilerOptions })

it.each(FOLDERS.filter((folder) => !hasScript(folder)))('%s is checked with the others', (folder) => {
  const { include } = read(`${folder}/tsconfig.json`)
  expect(optionsOf(folder)).toEqual(SOURCES.compilerOptions)
  const left = include.filter(
    (name) =>
      (name.includes('*') || existsSync(join(ROOT, folder, name))) &&
      !SOURCES.include.some((pattern) => matches(pattern, `${folder}/${name}`)),
  )
  expect(left).toEqual([])
  expect(SOURCES.exclude).not.toContain(folder)
})

it.each(FOLDERS.filter(hasScript))('%s has a check of its own, with other settings', (folder) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  expect(scripts.typecheck).toBe('tsc --noEmit')
  expect(optionsOf(folder)).not.toEqual(SOURCES.compilerOptions)
})

it('the command `typecheck` runs both', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(scripts.typecheck).toContain('turbo run typecheck typecheck:sources')
  expect(scripts['typecheck:sources']).toBe('tsc -p tsconfig.sources.json')
})
