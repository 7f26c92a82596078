/**
 * Deletes the declarations in dist that no declaration of an entry imports: the compiler writes one for each source, and an
 * application can read those of the package's entries alone.
 *
 *   node ../../scripts/prune-types.mjs   in the folder of the package, after its build
 */

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const { exports = {}, imports = {} } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Every file that package.json names, whatever its condition. */
const named = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(named))

const declarationOf = (file) => normalize(file.replace(/\.js$/, '.d.ts'))
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+\.js)['"]/g

const kept = new Set()
const waiting = [...named(exports), ...named(imports)]
  .filter((file) => file.includes('/dist/'))
  .map(declarationOf)
for (const file of waiting) {
  if (kept.has(file) || !existsSync(file)) continue
  kept.add(file)
  for (const [, target] of readFileSync(file, 'utf8').matchAll(IMPORT))
    waiting.push(declarationOf(join(dirname(file), target)))
}

const written = readdirSync('dist', { recursive: true, encoding: 'utf8' }).map((path) => join('dist', path))
for (const file of written) if (file.endsWith('.d.ts') && !kept.has(file)) rmSync(file)
