/**
 * One import statement for each module that a built file imports. esbuild writes one for each source file instead, and gives what
 * several of them import as many names: `z`, `z2`, `z3`, …
 */

import { parseAst } from 'rolldown/parseAst'

/** The name of what each part of a statement imports: `*` is the namespace. */
const IMPORTED_NAME = {
  ImportSpecifier: ({ imported }) => imported.name,
  ImportDefaultSpecifier: () => 'default',
  ImportNamespaceSpecifier: () => '*',
}

/** Fields of nodes whose identifiers are names of members, not of variables. */
const MEMBER_NAMES = {
  MemberExpression: 'property',
  Property: 'key',
  MethodDefinition: 'key',
  PropertyDefinition: 'key',
  ExportSpecifier: 'exported',
  ImportSpecifier: 'imported',
}

/**
 * @param {string} code As esbuild bundles it: no variable of an inner scope has a name that the file has.
 * @param {boolean} compact No spaces between words.
 */
export function mergeImports(code, compact) {
  const { body } = parseAst(code)
  const statements = body.filter(({ type }) => type === 'ImportDeclaration')
  const modules = importsByModule(statements)
  if (statements.length === 0) return code
  const { chosen, renamed } = chooseNames(modules)
  const removed = statements.map(({ start, end }) => {
    const [lines] = /^\n*/.exec(code.slice(end))
    // esbuild ends a long line there, if any.
    return { start, end: end + lines.length, text: start === 0 || code[start - 1] === '\n' ? '' : '\n' }
  })
  const merged = [...chosen]
    .filter(([path, names]) => names.size > 0 || !CHUNK.test(path))
    .flatMap(([path, names]) => statementsOf(path, names, compact))
  removed[0].text = `${merged.join('\n')}${compact ? '\n' : '\n\n'}`
  const uses = identifiers(body, renamed).map(({ start, end, name, key = '' }) => ({
    start,
    end,
    text: key + renamed.get(name),
  }))
  return edited(code, [...removed, ...uses])
}

/** By the path of the module: by the name of each export, the variables that it is imported as. */
function importsByModule(statements) {
  const modules = new Map()
  for (const { source, specifiers, attributes } of statements) {
    if (attributes?.length > 0) throw new Error(`The import of ${source.value} has attributes`)
    const names = modules.get(source.value) ?? new Map()
    modules.set(source.value, names)
    for (const specifier of specifiers) {
      const name = IMPORTED_NAME[specifier.type](specifier)
      names.set(name, [...(names.get(name) ?? []), specifier.local.name])
    }
  }
  return modules
}

/** One variable for each export: the shortest, which is the name in the source. */
function chooseNames(modules) {
  const renamed = new Map()
  const chosen = new Map()
  for (const [path, names] of modules) {
    chosen.set(path, new Map())
    for (const [name, variables] of names) {
      const variable = shortest(variables)
      chosen.get(path).set(name, variable)
      for (const other of variables) if (other !== variable) renamed.set(other, variable)
    }
  }
  return { chosen, renamed }
}

const shortest = (names) => names.reduce((found, name) => (name.length < found.length ? name : found))

/** @returns {string[]} More than one when a namespace is imported beside single names. */
function statementsOf(path, names, compact) {
  const { default: standard, '*': namespace, ...single } = Object.fromEntries(names)
  const list = Object.entries(single).map(([name, local]) => (name === local ? name : `${name} as ${local}`))
  const clauses = [
    ...(namespace === undefined ? [] : [`* as ${namespace}`]),
    [standard, list.length > 0 && listed(list)].filter(Boolean).join(', '),
  ].filter(Boolean)
  const froms = clauses.length === 0 ? [''] : clauses.map((clause) => `${clause} from `)
  const statements = froms.map((from) => `import ${from}${JSON.stringify(path)};`)
  return compact ? statements.map((statement) => statement.replace(SPACES, '')) : statements
}

/**
 * A part that files share, which esbuild imports without a name to keep the order of the sources. They have no effects (`sideEffects` in
 * package.json), so no order counts.
 */
const CHUNK = /^\.{1,2}\/(?:.*\/)?chunk-\w+\.js$/

/** Those of a statement that no word needs. */
const SPACES = / +(?=["{}*])|(?<=[,{}*"\n]) +/g

const LINE = 130

/** In braces, in lines of about `LINE` characters. */
function listed(names) {
  const lines = ['']
  for (const name of names) {
    const line = lines.at(-1)
    if (line.length + name.length < LINE) lines[lines.length - 1] = line === '' ? name : `${line}, ${name}`
    else lines.push(name)
  }
  return lines.length === 1 ? `{ ${lines[0]} }` : `{\n  ${lines.join(',\n  ')}\n}`
}

/** The uses of variables with these names. */
function identifiers(node, names, found = []) {
  if (Array.isArray(node)) for (const child of node) identifiers(child, names, found)
  else if (typeof node?.type === 'string') {
    if (node.type === 'ImportDeclaration') return found
    if (node.type === 'Identifier' && names.has(node.name)) found.push(node)
    if (node.shorthand && names.has(node.value.name)) {
      found.push({ ...node.value, key: `${node.key.name}: ` })
      return found
    }
    for (const [field, child] of Object.entries(node))
      if (typeof child === 'object' && (node.computed || MEMBER_NAMES[node.type] !== field))
        identifiers(child, names, found)
  }
  return found
}

function edited(code, edits) {
  let text = ''
  let at = 0
  for (const { start, end, text: inserted } of edits.sort((a, b) => a.start - b.start)) {
    text += code.slice(at, start) + inserted
    at = end
  }
  return text + code.slice(at)
}
