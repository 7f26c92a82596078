/** The server's program as its next version: with a storage-postgres whose schema has one migration more. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Migration } from '@ostiary/storage-postgres'
import type { CleanUp } from '@ostiary/test-kit/database'
import { builtMain } from '@ostiary/test-kit/server'
import { build } from '../../../scripts/build.mjs'

export const NEXT: Migration = {
  id: 9000,
  name: 'next',
  sql: 'alter table oidc_users add column next text',
}

/** As a literal in a program. */
const source = (file: string) =>
  JSON.stringify(fileURLToPath(new URL(`../../../packages/storage-postgres/src/${file}`, import.meta.url)))

/** Its known migrations are those that an empty database lacks. */
const INDEX = `
import { migrations as current } from ${source('index.ts')}
export * from ${source('index.ts')}
const known = await current({ query: async () => [] }).plan()
export const migrations = (executor) => current(executor, { known: [...known, ${JSON.stringify(NEXT)}] })
`

/** @returns The program's main file: built like the server's own, with that package instead of the real one. */
export async function nextVersion(addCleanup: CleanUp): Promise<string> {
  const server = dirname(dirname(builtMain()))
  // Below the server's own node_modules, where the packages that are not in the bundle are found.
  const folder = await mkdtemp(join(server, 'node_modules', '.next-version-'))
  addCleanup(() => rm(folder, { recursive: true, force: true }))
  const storage = join(folder, 'storage-postgres')
  await mkdir(storage)
  await writeFile(join(storage, 'index.js'), INDEX)
  await writeFile(join(storage, 'errors.js'), `export * from ${source('errors.ts')}\n`)
  const outdir = join(folder, 'dist')
  await build(server, { alias: { '@ostiary/storage-postgres': storage }, outdir })
  return join(outdir, 'main.js')
}
