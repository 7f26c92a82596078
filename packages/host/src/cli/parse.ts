/** From the words of a command line to a command and what it was given. */

import { parseArgs } from 'node:util'
import { closest } from '../config/suggestions.js'
import { type Command, type Input, type Option, usageError } from './command.js'

/** Options that every command has. */
export const COMMON: Readonly<Record<string, Option>> = {
  json: { help: 'Print one JSON document instead of a text; errors too, on standard error' },
  help: { help: 'Show this text' },
}

const REALM: Option = { value: 'id', help: 'The realm that it is about (default: default)' }

export const optionsOf = ({ options, of_realm }: Command): Readonly<Record<string, Option>> => ({
  ...options,
  ...(of_realm && { realm: REALM }),
  ...COMMON,
})

export interface Parsed {
  command: Command
  /** Null: help is wanted. */
  input: Input | null
}

/** The command that the words begin with, and the other words. */
export function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): { command: Command | undefined; rest: string[] } {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const command = commands.find((candidate) => candidate.name === name)
    if (command) return { command, rest: words.slice(length) }
  }
  return { command: undefined, rest: [...words] }
}

/** @throws CommandError (usage) */
export function parse(command: Command, words: readonly string[]): Parsed {
  const known = optionsOf(command)
  const { tokens } = parseArgs({
    args: [...words],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(known).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }]),
    ),
  })
  const values = new Map<string, string[]>()
  const args: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value)
    if (token.kind !== 'option') continue
    const name = token.rawName === '-h' ? 'help' : token.name
    values.set(name, [...(values.get(name) ?? []), checkedValue(known, token.rawName, { ...token, name })])
  }
  if (values.has('help')) return { command, input: null }
  checkCounts(command, { args, values, known })
  const list = (name: string) => values.get(name) ?? []
  const input = {
    args,
    list,
    flag: (name: string) => values.has(name),
    text: (name: string) => list(name).at(-1),
  }
  return { command, input }
}

function checkedValue(
  known: Readonly<Record<string, Option>>,
  written: string,
  {
    name,
    value,
    inlineValue,
  }: { name: string; value?: string | undefined; inlineValue?: boolean | undefined },
): string {
  const option = Object.hasOwn(known, name) ? known[name] : undefined
  if (option === undefined) throw usageError(unknownOption(known, written))
  if (option.value === undefined) {
    if (value !== undefined) throw usageError(`${written} takes no value`)
    return ''
  }
  // `--name --json` is a forgotten value, not a name.
  if (value === undefined || value === '' || (!inlineValue && value.startsWith('-')))
    throw usageError(`${written} needs a value: ${written} <${option.value}>`)
  return value
}

function unknownOption(known: Readonly<Record<string, Option>>, written: string): string {
  if (/^--(?:.*-)?(?:password|secret)$/.test(written))
    return `There is no option ${written}: what stands on a command line shows in the list of processes. See --help`
  if (/^-[^-]/.test(written))
    return `There is no option ${written}; a value that begins with a dash is joined to its option: --name=${written}…`
  const meant = closest(
    written,
    Object.keys(known).map((name) => `--${name}`),
  )
  return `There is no option ${written}${meant === null ? '' : `; did you mean ${meant}?`}`
}

function checkCounts(
  { args: wanted = [] }: Command,
  given: { args: string[]; values: Map<string, string[]>; known: Readonly<Record<string, Option>> },
): void {
  const missing = wanted[given.args.length]
  if (missing !== undefined) throw usageError(`<${missing}> is missing`)
  const extra = given.args[wanted.length]
  if (extra !== undefined) throw usageError(`Too many arguments: ${extra}`)
  if (given.args.includes('')) throw usageError('An argument is empty')
  for (const [name, all] of given.values)
    if (all.length > 1 && given.known[name]?.value && !given.known[name]?.many)
      throw usageError(`--${name} is given twice`)
}
