/** The types of options that a schema describes, as interfaces: editors show the text of each key with its default. */

import * as z from 'zod'
import { clientInput } from '../src/clients/client-input.ts'
import { oidcSchema } from '../src/config/config.ts'

/** What is used of a JSON Schema. */
interface Shape {
  type?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  const?: unknown
  items?: Shape
  prefixItems?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: Shape | false
}

const LINE_WIDTH = 110

const FILES = [
  {
    file: 'config/realm-config.ts',
    name: 'RealmConfig',
    text: 'The `oidc.*` keys of one realm, all optional. Durations are in seconds.',
    schema: oidcSchema,
  },
  {
    file: 'clients/client-options.ts',
    name: 'ClientInput',
    text: 'A client as an operator describes it: the metadata of RFC 7591 §2, and fields that registration can never set.',
    schema: clientInput,
  },
]

/** The files by their names in `src`. */
export function optionTypes(): { file: string; text: string }[] {
  return FILES.map(({ file, name, text, schema }) => {
    const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
    const declaration = `${docstring(text, '')}export interface ${name} ${membersOf(shape, '')}`
    return { file, text: `${HEADER}\n${declaration}\n` }
  })
}

const HEADER = `/** Generated from a schema by \`pnpm --filter @ostiary/core run option-types\`; a test compares both. */

// biome-ignore-all format: generated
`

function membersOf(shape: Shape, indent: string): string {
  const inner = `${indent}  `
  const members = Object.entries(shape.properties ?? {}).map(([name, member]) => {
    const optional = !shape.required?.includes(name)
    const type = optional ? `${typeOf(member, inner)} | undefined` : typeOf(member, inner)
    return `${docstring(textOf(name, member), inner)}${inner}${name}${optional ? '?' : ''}: ${type}\n`
  })
  return `{\n${members.join('')}${indent}}`
}

function typeOf(shape: Shape, indent: string): string {
  if (shape.enum) return shape.enum.map(literal).join(' | ')
  if (shape.const !== undefined) return literal(shape.const)
  if (shape.prefixItems) return `[${shape.prefixItems.map((item) => typeOf(item, indent)).join(', ')}]`
  if (shape.items) {
    const item = typeOf(shape.items, indent)
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`
  }
  if (shape.properties) return membersOf(shape, indent)
  if (shape.additionalProperties) return `Record<string, ${typeOf(shape.additionalProperties, indent)}>`
  if (shape.type === 'integer') return 'number'
  if (shape.type === 'string' || shape.type === 'number' || shape.type === 'boolean') return shape.type
  if (Object.keys(shape).length === 0) return 'unknown'
  throw new Error(`No TypeScript type for ${JSON.stringify(shape)}`)
}

/** Longer defaults are in the reference page alone. */
const MAX_DEFAULT_LENGTH = 120

/** The description, and the default of a key that is not a group. */
function textOf(name: string, { description, default: value, properties }: Shape): string {
  if (description === undefined) throw new Error(`${name} has no description: add describe() to its schema`)
  const shown = JSON.stringify(value)
  return value === undefined || properties || shown.length > MAX_DEFAULT_LENGTH
    ? `${description}.`
    : `${description}. Default: \`${shown}\`.`
}

function docstring(text: string, indent: string): string {
  const lines = wrapped(text, LINE_WIDTH - indent.length - 3)
  const isShort = lines.length === 1 && text.length <= LINE_WIDTH - indent.length - 7
  if (isShort) return `${indent}/** ${text} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

const literal = (value: unknown): string => `'${String(value)}'`
