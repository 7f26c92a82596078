/** Every export and every option of a published package has a docstring in the published types. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './fences.ts'

/** The packages that are published. */
const PACKAGES = readdirSync(join(ROOT, 'packages')).filter(
  (name) => !JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')).private,
)
const DECLARATION = /^export (?:declare )?(?:function|const|class|interface|type) (\w+)/
/** Types whose members the caller fills in. */
const FILLED_IN = /(?:Options|Config|Input|Rules|Choice|Limits)$/

interface Declaration {
  name: string
  documented: boolean
  /** Members without a docstring, of the types that the caller fills in. */
  silent: string[]
}

function declaredIn(file: string): Declaration[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const endsDocstring = (at: number) => lines[at - 1]?.trimEnd().endsWith('*/') ?? false
  return lines.flatMap((line, at) => {
    const [, name] = DECLARATION.exec(line) ?? []
    if (name === undefined) return []
    const end = lines.indexOf('}', at)
    const members = FILLED_IN.test(name) && /interface .*{$/.test(line) ? lines.slice(at + 1, end) : []
    const silent = members.flatMap((member, i) => {
      const [, key] = /^ {4,}(\w+)\??[:(<]/.exec(member) ?? []
      return key === undefined || endsDocstring(at + 1 + i) ? [] : [`${name}.${key}`]
    })
    return [{ name, documented: endsDocstring(at), silent }]
  })
}

/** The exports of a file, followed to their declarations. */
function exportsOf(file: string): Declaration[] {
  const text = readFileSync(file, 'utf8')
  const from = [...text.matchAll(/^export (?:type )?(?:\{([^}]*)\}|\*) from '(\.[^']+)'/gm)]
  const others = from.flatMap(([, names, path = '']) => {
    const all = exportsOf(join(dirname(file), path.replace(/\.js$/, '.d.ts')))
    if (names === undefined) return all
    const wanted = names.split(',').map(
      (name) =>
        name
          .trim()
          .replace(/^type /, '')
          .split(' as ')[0],
    )
    return all.filter(({ name }) => wanted.includes(name))
  })
  return [...declaredIn(file), ...others]
}

it.each(PACKAGES)('@ostiary/%s', (name) => {
  const index = join(ROOT, 'packages', name, 'dist/index.d.ts')
  expect(existsSync(index)).toBe(true)
  const all = exportsOf(index)
  expect(all.length).toBeGreaterThan(0)
  expect(all.filter(({ documented }) => !documented).map((each) => each.name)).toEqual([])
  expect(all.flatMap(({ silent }) => silent)).toEqual([])
})
