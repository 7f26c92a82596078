/** The server's program as its next version: with a storage-postgres whose schema has one migration more. */

import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Migration } from '@ostiary/storage-postgres'
import type { CleanUp } from '@ostiary/test-kit/database'
import { builtMain } from '@ostiary/test-kit/server'

export const NEXT: Migration = {
  id: 9000,
  name: 'next',
  sql: 'alter table oidc_users add column next text',
}

const PACKAGE = JSON.stringify({
  name: '@ostiary/storage-postgres',
  type: 'module',
  exports: { '.': './index.js', './errors': './errors.js' },
})

const manifest = createRequire(import.meta.url).resolve('@ostiary/storage-postgres/package.json')
/** Of the built file: the tests' own conditions lead to the source. */
const url = (entry: string) => JSON.stringify(pathToFileURL(join(dirname(manifest), 'dist', entry)).href)

/** Its known migrations are those that an empty database lacks. */
const INDEX = `
import { migrations as current } from ${url('index.js')}
export * from ${url('index.js')}
const known = await current({ query: async () => [] }).plan()
export const migrations = (executor) => current(executor, { known: [...known, ${JSON.stringify(NEXT)}] })
`

/** @returns The program's main file: a copy of the built one, which finds that package before the installed one. */
export async function nextVersion(addCleanup: CleanUp): Promise<string> {
  const dist = dirname(builtMain())
  // Below the server's own node_modules, where every other package is found.
  const folder = await mkdtemp(join(dirname(dist), 'node_modules', '.next-version-'))
  addCleanup(() => rm(folder, { recursive: true, force: true }))
  const storage = join(folder, 'node_modules', '@ostiary', 'storage-postgres')
  await mkdir(storage, { recursive: true })
  await writeFile(join(storage, 'package.json'), PACKAGE)
  await writeFile(join(storage, 'index.js'), INDEX)
  await writeFile(join(storage, 'errors.js'), `export * from ${url('errors.js')}\n`)
  await cp(dist, join(folder, 'dist'), { recursive: true })
  return join(folder, 'dist', 'main.js')
}
