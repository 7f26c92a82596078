/** The server's program as its next version: with a storage-postgres whose schema has one migration more. */

import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
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

/** The package with one migration more: a copy of its sources, below its own node_modules, where it finds what it imports. */
const PACKAGE = fileURLToPath(new URL('../../../packages/storage-postgres/', import.meta.url))
const LIST = `
import { MIGRATIONS as current } from './current.js'
export const MIGRATIONS = [...current, ${JSON.stringify(NEXT)}]
`

/** @returns The program's main file: built like the server's own, with that package instead of the real one. */
export async function nextVersion(addCleanup: CleanUp): Promise<string> {
  const storage = await temporaryFolder(PACKAGE, addCleanup)
  await cp(join(PACKAGE, 'src'), storage, { recursive: true })
  const migrations = join(storage, 'migrations')
  await rename(join(migrations, 'list.ts'), join(migrations, 'current.ts'))
  await writeFile(join(migrations, 'list.ts'), LIST)
  // Below the server's own node_modules, where the packages that are not in the bundle are found.
  const server = dirname(dirname(builtMain()))
  const outdir = await temporaryFolder(server, addCleanup)
  await build(server, { alias: { '@ostiary/storage-postgres': storage }, outdir })
  return join(outdir, 'main.js')
}

async function temporaryFolder(folder: string, addCleanup: CleanUp): Promise<string> {
  const made = await mkdtemp(join(folder, 'node_modules', '.next-version-'))
  addCleanup(() => rm(made, { recursive: true, force: true }))
  return made
}
