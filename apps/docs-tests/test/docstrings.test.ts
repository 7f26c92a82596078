/** Every name that a package exports says what it is, and every option what it means: in the types that people install. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './fences.ts'

/** The packages that are published. */
const PACKAGES = readdirSync(join(ROOT, 'packages')).filter(
  (name) => !JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')).private,
)
const DECLARATION = /^export (?:declare )?(?:function|const|class|interface|type) (\w+)/
/** Whose members are what somebody has to fill in. */
const FILLED_IN = /(?:Options|Input|Rules|Choice|Limits)$/

interface Declared {
  name: string
  documented: boolean
  /** Members without a word, of the types that somebody fills in. */
  silent: string[]
}

function declaredIn(file: string): Declared[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const said = (at: number) => lines[at - 1]?.trimEnd().endsWith('*/') ?? false
  return lines.flatMap((line, at) => {
    const [, name] = DECLARATION.exec(line) ?? []
    if (name === undefined) return []
    const end = lines.indexOf('}', at)
    const members = FILLED_IN.test(name) && /interface .*{$/.test(line) ? lines.slice(at + 1, end) : []
    const silent = members.flatMap((member, i) => {
      const [, key] = /^ {4}(\w+)\??[:(<]/.exec(member) ?? []
      return key === undefined || said(at + 1 + i) ? [] : [`${name}.${key}`]
    })
    return [{ name, documented: said(at), silent }]
  })
}

/** What a file exports, followed to where it is declared. */
function exportsOf(file: string): Declared[] {
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
