/** What the scripts `start` and `registry` import: they run where development dependencies are not installed, esbuild alone is. */

import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './_sources.ts'

/** `import(…)` is for what is not always needed. */
const STATIC = /^(?:import|export)\s(?:[\w\s{},*$]+\sfrom\s)?'([^']+)'/gm

/** The packages that a script imports, itself or by another script. */
function packagesOf(script: string, seen = new Set<string>()): Set<string> {
  const found = new Set<string>()
  if (seen.has(script)) return found
  seen.add(script)
  for (const [, name = ''] of readFileSync(join(ROOT, script), 'utf8').matchAll(STATIC)) {
    if (name.startsWith('.'))
      for (const inner of packagesOf(join(dirname(script), name), seen)) found.add(inner)
    else if (!name.startsWith('node:') && !builtinModules.includes(name)) found.add(name)
  }
  return found
}

it.each(['scripts/start.mjs', 'scripts/example.mjs', 'scripts/registry.mjs'])(
  '%s imports nothing before it has installed',
  (script) => {
    expect([...packagesOf(script)]).toEqual([])
  },
)

it('scripts/build.mjs, which the first two then import, needs esbuild alone', () => {
  expect([...packagesOf('scripts/build.mjs')]).toEqual(['esbuild'])
})
