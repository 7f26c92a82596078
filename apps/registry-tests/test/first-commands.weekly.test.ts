/**
 * The commands with which the pages take our packages from npm install little, and npm warns of nothing. apps/package-tests has the
 * commands of a clone.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { megabytes } from '@ostiary/test-kit/folder'
import { expect, it } from 'vitest'
import { created } from './project.ts'
import { ROOT } from './release.ts'
import { newUser } from './walk.ts'

const MAX_INSTALLED_MB = 120

/** `npm install` of packages of ours, in the blocks of the pages. */
function installations(): string[] {
  const docs = readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)
  const pages = ['README.md', 'apps/node-server/README.md', ...docs.filter((name) => name.endsWith('.md'))]
  const found = pages.flatMap((page) => {
    const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    return blocks.flatMap(([, code = '']) => code.match(/^npm install @ostiary\/.*$/gm) ?? [])
  })
  return [...new Set(found)]
}

const installed = (folder: string): number => megabytes([join(folder, 'node_modules')])

it('the commands are found', () => {
  expect(installations().length).toBeGreaterThanOrEqual(3)
})

it.each(installations())('%s', async (command) => {
  const user = await newUser()
  expect(await user.run(...command.split(' '))).not.toMatch(/npm warn/i)
  const size = installed(user.place.cwd)
  console.log(`${command}: ${size.toFixed(0)} MB`)
  expect(size).toBeLessThanOrEqual(MAX_INSTALLED_MB)
})

// The template `next` installs Next.js, which is larger by itself.
it.each(['server', 'hono', 'express'])('npm create ostiary: the template %s', async (template) => {
  const { user } = await created(template)
  const size = installed(user.place.cwd)
  console.log(`${template}: ${size.toFixed(0)} MB`)
  expect(size).toBeLessThanOrEqual(MAX_INSTALLED_MB)
})
