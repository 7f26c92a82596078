/**
 * Bundles the declarations that the compiler has written to dist: one file for each entry of the package, and one for what several
 * entries share. What no entry exports, and no exported declaration uses, is left out.
 *
 *   node ../../scripts/bundle-types.mjs   in the folder of the package, after its build
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { tabbed } from './indent.mjs'

const { exports = {}, imports = {} } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Every file that package.json names, whatever its condition. */
const named = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(named))

/** By name: `express` for dist/express.d.ts. */
const entries = Object.fromEntries(
  [...named(exports), ...named(imports)]
    .map((file) => /^\.\/dist\/(.+?)(?:\.d\.ts|\.js)$/.exec(file)?.[1])
    .filter((name) => name !== undefined && existsSync(`dist/${name}.d.ts`))
    .map((name) => [name, resolve(`dist/${name}.d.ts`)]),
)

const bundle = await rolldown({
  input: entries,
  external: /^[^./]/,
  plugins: [dts({ dtsInput: true, tsconfig: false })],
})
const { output } = await bundle.generate({
  format: 'es',
  chunkFileNames: '[name].d.ts',
  minifyInternalExports: false,
})

/**
 * What a source says at its beginning about all of it, before another docstring; and the plugin's comment with its path. Its
 * declarations are among those of other sources here, and the next one would seem to have two docstrings.
 */
const ABOUT_SOURCES = /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?=\/\*\*)|^\/\/ dist\/\S+\n/gm

const TYPES = /^(?:interface|type) (\w+)/gm
const types = new Set(output.flatMap(({ code }) => [...code.matchAll(TYPES)].map(([, name]) => name)))

/** What is a type in any case is exported without saying so. A class may be exported as a type alone. */
const exportsOf = (code) =>
  code.replace(/^export \{.*\};$/gm, (names) =>
    names.replace(/\btype (\w+)/g, (whole, name) => (types.has(name) ? name : whole)),
  )

for (const path of readdirSync('dist', { recursive: true, encoding: 'utf8' }))
  if (path.endsWith('.d.ts')) rmSync(join('dist', path))
for (const { fileName, code } of output) {
  mkdirSync(dirname(join('dist', fileName)), { recursive: true })
  writeFileSync(join('dist', fileName), tabbed(exportsOf(code.replace(ABOUT_SOURCES, ''))))
}
