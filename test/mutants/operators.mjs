/**
 * The changes that a mutant can make. Each changes one node of the syntax tree inside a symbol. A fragment says which node: it
 * occurs once in the symbol, and the node is the shortest of the operator's kind that begins where the fragment does and
 * contains it. Whitespace does not count, so a line that is moved or formatted anew is still found.
 */

import { parseAst } from 'vitest/node'

/** @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node */
/** @typedef {{ start: number, end: number, text: string }} Edit */

/**
 * By their names. `other` is the source text of an expression, for `compare` of an operator, for `text` a part of a string.
 * @type {Record<string, { nodes: (symbol: Node) => Node[], edit: (node: Node, source: string, other: string) => Edit }>}
 */
const OPERATORS = {
  /** Removes a statement, one side of `&&`, `||` or `??`, a member, an element, an argument, or a call `.method(…)` of a chain. */
  drop: { nodes: droppable, edit: (node) => ({ ...node.cut, text: node.stands_for }) },
  /** A condition that holds always. */
  always: { nodes: expressions, edit: (node) => replaced(node, 'true') },
  /** A condition that holds never. */
  never: { nodes: expressions, edit: (node) => replaced(node, 'false') },
  negate: { nodes: expressions, edit: (node, source) => replaced(node, `!(${textOf(node, source)})`) },
  /** Compares with another operator: `<=` instead of `<`. */
  compare: {
    nodes: (symbol) => descendants(symbol).filter(({ type }) => type === 'BinaryExpression'),
    edit: ({ left, right }, source, other) =>
      replaced(
        { start: left.start, end: right.end },
        `${textOf(left, source)} ${other} ${textOf(right, source)}`,
      ),
  },
  /** Another expression. */
  replace: { nodes: expressions, edit: (node, _source, other) => replaced(node, `(${other})`) },
  /** A call becomes its first argument; what is awaited is awaited no more. */
  unwrap: {
    nodes: (symbol) => descendants(symbol).filter((node) => inner(node) !== undefined),
    edit: (node, source) => replaced(node, textOf(inner(node), source)),
  },
  /** Another text inside a string, such as a statement of SQL. */
  text: { nodes: () => [], edit: (node, _source, other) => replaced(node, other) },
}

/** @typedef {{ symbol: string, operator: string, fragment: string, other?: string }} Change */

/**
 * What is wrong with a change of this source, or the source with the change.
 * @param {string} source @param {Change} change @returns {{ fault: string } | { text: string }}
 */
export function changed(source, { symbol, operator, fragment, other = '' }) {
  const kind = OPERATORS[operator]
  if (kind === undefined) return { fault: `there is no operator ${operator}` }
  const [node, ...namesakes] = symbolsNamed(treeOf(source), symbol)
  if (node === undefined) return { fault: `there is no symbol ${symbol}` }
  if (namesakes.length > 0) return { fault: `there are ${namesakes.length + 1} symbols ${symbol}` }
  const place = placeOf(textOf(node, source), fragment)
  if (typeof place === 'string') return { fault: `${symbol} has ${place}: ${fragment}` }
  const [start, end] = [node.start + place.start, node.start + place.end]
  const found = operator === 'text' ? { start, end } : shortestFrom(kind.nodes(node), { start, end })
  if (found === undefined)
    return { fault: `${operator} finds nothing in ${symbol} that begins with ${fragment}` }
  const edit = kind.edit(found, source, other)
  const text = source.slice(0, edit.start) + edit.text + source.slice(edit.end)
  return text === source ? { fault: `${symbol} is not changed` } : { text }
}

/** Whether a file has the symbol, once. @param {string} source @param {string} name */
export const hasSymbol = (source, name) => symbolsNamed(treeOf(source), name).length === 1

/** @type {Map<string, Node>} */
const trees = new Map()

/** @param {string} source @returns {Node} */
function treeOf(source) {
  const known = trees.get(source) ?? parseAst(source, { lang: 'ts' })
  trees.set(source, known)
  return known
}

/**
 * The functions, methods, constants and classes of this name; `outer.name` for one that is inside of another.
 * @param {Node} tree @param {string} name @returns {Node[]}
 */
function symbolsNamed(tree, name) {
  const [first, ...rest] = name.split('.')
  return rest.reduce(
    (outer, part) => outer.flatMap((node) => declared(node, part).filter((found) => found !== node)),
    declared(tree, first),
  )
}

const DECLARATIONS = ['FunctionDeclaration', 'ClassDeclaration', 'VariableDeclarator', 'MethodDefinition']

const declared = (tree, name) => descendants(tree).filter((node) => symbolName(node) === name)

/** @param {Node} node @returns {string | undefined} */
function symbolName(node) {
  const is_declaration = DECLARATIONS.includes(node.type)
  const is_member = node.type === 'Property' || node.type === 'PropertyDefinition'
  const is_function = /Function/.test(node.value?.type ?? '')
  return is_declaration || (is_member && is_function) ? (node.id ?? node.key)?.name : undefined
}

/** Where the fragment is, or how often. */
function placeOf(text, fragment) {
  const characters = [...text.matchAll(/\S/g)]
  const dense = characters.map(([character]) => character).join('')
  const wanted = fragment.replace(/\s/g, '')
  const count = wanted === '' ? 0 : dense.split(wanted).length - 1
  if (count !== 1) return `its fragment ${count} times`
  const at = dense.indexOf(wanted)
  return { start: characters[at].index, end: characters[at + wanted.length - 1].index + 1 }
}

function shortestFrom(nodes, { start, end }) {
  const fitting = nodes.filter((node) => node.start === start && node.end >= end)
  return fitting.sort((a, b) => a.end - b.end)[0]
}

/** @param {Node} root @returns {Node[]} */
function descendants(root) {
  /** @type {Node[]} */
  const found = []
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return
    if (typeof value.type === 'string' && typeof value.start === 'number') found.push(value)
    for (const child of Object.values(value)) visit(child)
  }
  visit(root)
  return found
}

const EXPRESSION = /Expression$|^(Literal|Identifier|TemplateLiteral)$/

function expressions(symbol) {
  return descendants(symbol).filter(({ type }) => EXPRESSION.test(type))
}

const textOf = ({ start, end }, source) => source.slice(start, end)
const replaced = ({ start, end }, text) => ({ start, end, text })

function inner({ type, argument, arguments: [first] = [] }) {
  if (type === 'AwaitExpression') return argument
  return type === 'CallExpression' ? first : undefined
}

/** Each with what is cut, and with what stands there instead. */
function droppable(symbol) {
  return descendants(symbol).flatMap((node) => {
    switch (node.type) {
      case 'BlockStatement':
        return node.body.map((statement) => part(statement))
      case 'IfStatement':
        return [part(node.consequent, { stands_for: '{}' })]
      case 'LogicalExpression':
        return [part(node.left, { end: node.right.start }), part(node.right, { from: node.left.end })]
      case 'CallExpression':
        return [...inList(node.arguments), ...chained(node)]
      case 'ArrayExpression':
        return inList(node.elements)
      case 'ObjectExpression':
        return inList(node.properties)
      default:
        return []
    }
  })
}

/** @param {Node} node @param {{ from?: number, end?: number, stands_for?: string }} [cut] */
const part = ({ start, end, type }, { from = start, end: to = end, stands_for = '' } = {}) => ({
  type,
  start,
  end,
  cut: { start: from, end: to },
  stands_for,
})

/** With the comma that follows, or that comes before the last one. */
const inList = (nodes) =>
  nodes.map((node, index) => {
    const next = nodes[index + 1]
    if (next) return part(node, { end: next.start })
    const before = nodes[index - 1]
    return part(node, before && { from: before.end })
  })

function chained({ callee, end }) {
  if (callee.type !== 'MemberExpression') return []
  return [part({ type: 'call', start: callee.object.end, end })]
}
