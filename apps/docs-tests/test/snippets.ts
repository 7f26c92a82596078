/** TypeScript of a page, as files inside this package, so that package names resolve as for a user. */

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ROOT } from './fences.ts'

const run = promisify(execFile)

export interface Written {
  folder: string
  remove(): void
}

function write(files: { name: string; code: string }[]): Written {
  const folder = mkdtempSync(join(fileURLToPath(new URL('..', import.meta.url)), '.snippets-'))
  for (const { name, code } of files) writeFileSync(join(folder, name), code)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Writes and compiles them. @param options Further options of the compiler. */
export async function compile(
  files: { name: string; code: string }[],
  options: Record<string, unknown> = {},
): Promise<Written> {
  const written = write(files)
  const config = {
    extends: '../../../tsconfig.base.json',
    include: ['*.ts'],
    compilerOptions: { noEmit: true, lib: ['ES2023', 'DOM', 'DOM.Iterable'], ...options },
  }
  writeFileSync(join(written.folder, 'tsconfig.json'), JSON.stringify(config))
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', written.folder]).catch(({ stdout }) => {
    written.remove()
    throw new Error(stdout)
  })
  return written
}
