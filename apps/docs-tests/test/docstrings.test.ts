/** Every export and every option of a published package has a docstring in the published types. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './fences.ts'

/** The packages that are published. */
const PACKAGES = readdirSync(join(ROOT, 'packages')).filter(
  (name) => !JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')).private,
)
const DECLARATION = /^(?:declare )?(?:function|const|class|interface|type) (\w+)/
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
      const [, key] = /^ {2,}(\w+)\??[:(<]/.exec(member) ?? []
      return key === undefined || endsDocstring(at + 1 + i) ? [] : [`${name}.${key}`]
    })
    return [{ name, documented: endsDocstring(at), silent }]
  })
}

/** The names between the braces of an import or an export, as the other side calls them. */
const namesIn = (list: string): string[] =>
  list.split(',').map(
    (name) =>
      name
        .trim()
        .replace(/^type /, '')
        .split(' as ')
        .at(-1) ?? '',
  )

/** The exports of a package, where it declares them: in its index, or in a file that several entries share. */
function exportsOf(index: string): Declaration[] {
  const text = readFileSync(index, 'utf8')
  const exported = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list = '']) => namesIn(list))
  const imports = [...text.matchAll(/^import \{([^}]*)\} from "([^"]+)"/gm)]
  const ofOthers = imports
    .filter(([, , from]) => !from?.startsWith('.'))
    .flatMap(([, list = '']) => namesIn(list))
  const shared = imports.flatMap(([, , from = '']) =>
    from.startsWith('.') ? [join(dirname(index), from.replace(/\.js$/, '.d.ts'))] : [],
  )
  const declared = [index, ...shared].flatMap(declaredIn)
  const own = exported.filter((name) => !ofOthers.includes(name))
  const found = declared.filter(({ name }) => own.includes(name))
  expect(own.filter((name) => !found.some((each) => each.name === name))).toEqual([])
  return found
}

it.each(PACKAGES)('@ostiary/%s', (name) => {
  const index = join(ROOT, 'packages', name, 'dist/index.d.ts')
  expect(existsSync(index)).toBe(true)
  const all = exportsOf(index)
  expect(all.length).toBeGreaterThan(0)
  expect(all.filter(({ documented }) => !documented).map((each) => each.name)).toEqual([])
  expect(all.flatMap(({ silent }) => silent)).toEqual([])
})
