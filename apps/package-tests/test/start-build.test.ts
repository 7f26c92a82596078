/** What `pnpm start` builds, beside what `pnpm build` does. Turbo leaves files beside those that it takes from its cache. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { expect, it } from 'vitest'
import { build, ownOptions } from '../../../scripts/build.mjs'
import { ROOT } from './manifests.ts'
import { folderOf, PUBLISHED } from './packages.ts'

/** The options of a server do not differ. Its source maps are in the names of its files, and have the path of the folder. */
const PACKAGES = Object.keys(PUBLISHED).filter((name) => folderOf(name).startsWith('packages/'))

const programsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))

it.each(PACKAGES)('%s: a start writes no file that a published package does not have', async (name) => {
  const folder = join(ROOT, folderOf(name))
  const options = ownOptions(folder)
  expect(options).not.toBeNull()
  const outdir = await temporaryFolder()
  await build(folder, { ...options, outdir })
  expect(programsIn(outdir).sort()).toEqual(programsIn(join(folder, 'dist')).sort())
})
