/**
 * Deletes the declarations in dist that no declaration of an entry imports: the compiler writes one for each source, and an
 * application can read those of the package's entries alone. Of the others, it drops the comment on the source file, which is for
 * readers of the sources.
 *
 *   node ../../scripts/prune-types.mjs   in the folder of the package, after its build
 */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** A comment at the beginning that belongs to no declaration: another comment, an import or an export of others follows. */
const FILE_COMMENT = /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?=\/\*\*|import\b|export \* |export (?:type )?\{)/

for (const file of kept) {
  if (!existsSync(file)) continue
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(FILE_COMMENT, ''))
}
