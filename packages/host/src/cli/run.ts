/** The command line `ostiary`, the same on every runtime. */

import { ClientInputError, ConfigError, formatConfigFault } from '@ostiary/core'
import { UserError } from '@ostiary/identity'
import type { Environment } from '../config/environment.js'
import type { ReadOptions } from '../config/read-config.js'
import { closest } from '../config/suggestions.js'
import { failureText } from '../process/failure.js'
import { StorageError } from '../storage/storage-error.js'
import { type Command, CommandError, EXIT, type Outcome, type Surroundings, usageError } from './command.js'
import { COMMANDS } from './commands/index.js'
import { helpOf, overview } from './help.js'
import { findCommand, parse } from './parse.js'

/** What a runtime brings to the command line. */
export interface Program {
  /** Serves until it is told to stop; resolves to the exit code. */
  serve(options: ReadOptions): Promise<number>
}

/** What is around a command. */
export interface Terminal {
  env: Environment
  cwd: string
  /** Resolves when the text is written. */
  out(text: string): Promise<void> | void
  err(text: string): void
  stdin(): Promise<string>
}

/**
 * @param argv The words behind the name of the program.
 * @returns The exit code.
 */
export async function run(
  argv: readonly string[],
  { serve }: Program,
  terminal: Terminal = processTerminal(),
): Promise<number> {
  const json = argv.includes('--json')
  const { err } = terminal
  try {
    const { command, rest } = findCommand(COMMANDS, argv)
    if (command === undefined) return await noCommand(argv, terminal)
    const { input } = parseOrExplain(command, rest)
    if (input === null) return await print(terminal, helpOf(command))
    const { env, cwd, stdin } = terminal
    const surroundings: Surroundings = { env, cwd, stdin, err, serve }
    const outcome = await command.run(input, surroundings)
    if (typeof outcome === 'number') return outcome
    return await show(outcome, { json, terminal })
  } catch (error) {
    err(json ? `${JSON.stringify({ error: errorJson(error) })}\n` : errorText(error))
    return error instanceof CommandError ? error.code : EXIT.failed
  }
}

function parseOrExplain(command: Command, words: readonly string[]) {
  try {
    return parse(command, words)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    throw usageError(`${error.message}\n\n${helpOf(command).trimEnd()}`)
  }
}

/** Help, a group of commands, or a word that is none. */
async function noCommand(argv: readonly string[], terminal: Terminal): Promise<number> {
  const words = argv.filter((word) => !/^(?:--help|-h|--json)$/.test(word))
  const helped = words.length < argv.length && !argv.every((word) => word === '--json')
  const [first = '', ...others] = words[0] === 'help' ? words.slice(1) : words
  const { command } = findCommand(COMMANDS, [first, ...others])
  const asked = helped || words[0] === 'help'
  if (asked && command) return print(terminal, helpOf(command))
  const group = COMMANDS.some(({ name }) => name.startsWith(`${first} `)) ? first : ''
  if (asked && (first === '' || group !== '')) return print(terminal, overview(COMMANDS, group))
  const line = words.slice(0, 2).join(' ')
  throw usageError(
    `${line === '' ? 'Name a command.' : missing(line, group)}\n\n${overview(COMMANDS, group).trimEnd()}`,
  )
}

function missing(line: string, group: string): string {
  if (line === group) return `Name one of the commands of ${group}.`
  const names = COMMANDS.map(({ name }) => name)
  const meant = closest(line, names) ?? closest(line.split(' ')[0] ?? '', names)
  return `There is no command ${line}${meant === null ? '' : `; did you mean ${meant}?`}`
}

async function show(
  { text, json: document, note, code = EXIT.done }: Outcome,
  { json, terminal }: { json: boolean; terminal: Terminal },
): Promise<number> {
  if (json) await terminal.out(`${JSON.stringify(document, null, 2)}\n`)
  else if (text !== '') await terminal.out(`${text}\n`)
  if (note !== undefined && !json) terminal.err(`${note}\n`)
  return code
}

async function print({ out }: Terminal, text: string): Promise<number> {
  await out(text)
  return EXIT.done
}

/** A sentence where the fault is known. */
function errorText(error: unknown): string {
  if (error instanceof CommandError && error.code === EXIT.usage) return `${error.message}\n`
  if (error instanceof CommandError || error instanceof UserError || error instanceof ClientInputError)
    return error.message
      .split('\n')
      .map((line) => `ostiary: ${line}\n`)
      .join('')
  return failureText(error)
}

function errorJson(error: unknown) {
  const message = error instanceof Error ? error.message : String(error)
  const [first = ''] = message.split('\n')
  if (error instanceof ConfigError)
    return { message: 'The configuration has faults', faults: error.faults.map(formatConfigFault) }
  if (error instanceof ClientInputError)
    return {
      message: 'The client has faults',
      faults: error.faults.map(({ field, fault }) => `${field}: ${fault}`),
    }
  if (error instanceof StorageError && error.needs_migration) return { message, needs_migration: true }
  return { message: error instanceof CommandError ? first : message }
}

function processTerminal(): Terminal {
  const { stdout, stderr, stdin } = process
  return {
    env: process.env,
    cwd: process.cwd(),
    out: (text) => new Promise((resolve) => stdout.write(text, () => resolve())),
    err: (text) => void stderr.write(text),
    async stdin() {
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of stdin) {
        size += chunk.length
        if (size > MAX_STDIN) throw usageError('Standard input is longer than 64 KiB')
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString('utf8')
    },
  }
}

const MAX_STDIN = 65_536
