/** `pnpm start` does not build again what it has built from the same files. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isBuilt, noteBuild } from '../scripts/built-from.mjs'

const SERVER = 'apps/server'
const MADE = 'with the embedded database'

function built() {
  const root = mkdtempSync(join(tmpdir(), 'ostiary-built-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  write('packages/core/src/authorize/login.ts', 'export const a = 1')
  for (const path of ['pnpm-lock.yaml', 'scripts/build.mjs', 'node_modules/.modules.yaml']) write(path, '')
  const made = ['apps/server/dist/main.js', 'packages/embedded/dist/database.tar.br']
  for (const path of ['apps/server/src/main.ts', ...made]) write(path, '')
  noteBuild(SERVER, MADE, root)
  return { root, write, isBuilt: (made = MADE) => isBuilt(SERVER, made, root) }
}

it('a server is built until something changes from which it is built', () => {
  for (const path of [
    'packages/core/src/authorize/login.ts',
    'packages/core/src/authorize/new.ts',
    'packages/core/package.json',
    'apps/server/src/main.ts',
    'pnpm-lock.yaml',
    'package.json',
    'scripts/build.mjs',
    // Another build has written there, of sources that have been changed back since.
    'apps/server/dist/main.js',
  ]) {
    const clone = built()
    clone.write('docs/page.md', 'other')
    clone.write('packages/core/test/login.test.ts', 'other')
    clone.write('packages/core/dist/index.d.ts', 'other')
    expect([path, clone.isBuilt()]).toEqual([path, true])
    clone.write(path, 'other')
    expect([path, clone.isBuilt()]).toEqual([path, false])
  }
})

it('a server is not built without its program, what was made beside it, what is installed, or the note', () => {
  for (const path of [
    'apps/server/dist',
    'packages/embedded/dist',
    'node_modules',
    'apps/server/node_modules',
  ]) {
    const clone = built()
    rmSync(join(clone.root, path), { recursive: true })
    expect([path, clone.isBuilt()]).toEqual([path, false])
  }
  expect(built().isBuilt('without the embedded database')).toBe(false)
})
