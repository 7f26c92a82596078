/** The command line `ostiary`, the same on every runtime. */

import type { AdminConnection } from '@ostiary/admin-client'
import { ClientConflictError, ClientInputError, ConfigError, formatConfigFault } from '@ostiary/core'
import { UserError } from '@ostiary/identity'
import type { Environment } from '../config/environment.js'
import type { ReadOptions } from '../config/read-config.js'
import { failureText } from '../process/failure.js'
import { isUnwritten } from '../storage/outage.js'
import { StorageError } from '../storage/storage-error.js'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type CommandResult,
  EXIT,
  type QuietCommand,
  type ReportedCommand,
  usageError,
} from './command.js'
import { serve as serveCommand } from './commands/serve.js'
import type { ParsedLine } from './parse.js'
import { planOf } from './plan.js'
import { checkServer } from './server-option.js'

/** What the command line uses of its runtime. */
export interface Program {
  /** Serves until the process is told to stop; resolves to the exit code. */
  serve(options: ReadOptions): Promise<number>
}

/** The process that the command line runs in. */
export interface Terminal {
  env: Environment
  cwd: string
  /** Writes to standard output; resolves when the text is written. */
  out(text: string): Promise<void> | void
  err(text: string): void
  stdin(): Promise<string>
  /** The same in parts, of any length; what `stdin` resolves to when absent. */
  stdinBytes?(): AsyncIterable<Uint8Array>
  /** Connects to the admin API of a server; absent: with the sign-in that `ostiary login` has stored. */
  connect?(server: string): Promise<AdminConnection>
  /** Asks a question, and returns the line that is typed. Absent when the user cannot be asked. */
  ask?: ((question: string) => Promise<string>) | undefined
}

/**
 * Runs one command line.
 * @param argv The words after the name of the program.
 * @returns The exit code.
 */
export async function run(
  argv: readonly string[],
  { serve }: Program,
  terminal: Terminal = processTerminal(),
): Promise<number> {
  const json = argv.includes('--json')
  const { stdin, err } = terminal
  const context = { stdinBytes: () => bytesOf(stdin()), ...terminal, serve }
  try {
    const parsed = await parsedLine(argv)
    if ('help' in parsed) {
      await terminal.out(parsed.help)
      return EXIT.done
    }
    if ('version' in parsed) return await print({ text: parsed.version, json: parsed }, { json, terminal })
    return await runCommand(parsed, context, { json, terminal })
  } catch (error) {
    const plan = planOf(error)
    if (plan !== null) return print(plan, { json, terminal })
    err(json ? `${JSON.stringify({ error: errorJson(error) })}\n` : errorText(error))
    return error instanceof CommandError ? error.code : EXIT.failed
  }
}

async function* bytesOf(text: Promise<string>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(await text)
}

const isReported = (command: QuietCommand | ReportedCommand): command is ReportedCommand =>
  command.effect === 'changes' || command.effect === 'exports'

async function runCommand(
  { command, input }: Exclude<ParsedLine, { help: string } | { version: string }>,
  context: CommandContext,
  output: { json: boolean; terminal: Terminal },
): Promise<number> {
  if (!isReported(command)) {
    const result = await command.run(input, context)
    return typeof result === 'number' ? result : print(result, output)
  }
  const { event, ...result } = await command.run(input, context)
  // Before the output, whose reader may be gone.
  if (event !== null) (await import('./loaded.js')).reportCommand(command, event, { input, context })
  return print(result, output)
}

const NO_OPTIONS: CommandInput = { args: [], text: () => undefined, flag: () => false, list: () => [] }

/** A server without options does not load commander and the other commands. */
async function parsedLine(argv: readonly string[]): Promise<ParsedLine> {
  if (argv.length === 1 && argv[0] === serveCommand.name) return { command: serveCommand, input: NO_OPTIONS }
  const parsed = (await import('./loaded.js')).readLine(argv)
  if ('command' in parsed) checkServer(parsed.command, parsed.input)
  return parsed
}

async function print(
  { text, json: document, note, code = EXIT.done }: CommandResult,
  { json, terminal }: { json: boolean; terminal: Terminal },
): Promise<number> {
  if (json && document !== undefined) await terminal.out(`${JSON.stringify(document, null, 2)}\n`)
  if (!json && text !== '') await terminal.out(`${text}\n`)
  if (note !== undefined && !json) terminal.err(`${note}\n`)
  return code
}

/** A sentence for an expected error. */
function errorText(error: unknown): string {
  if (error instanceof CommandError && error.code === EXIT.usage)
    return `error: ${error.message}\n${error.help === '' ? '' : `\n${error.help}\n`}`
  if (EXPECTED_ERRORS.some((expected) => error instanceof expected) || isUnwritten(error))
    return (error as Error).message
      .split('\n')
      .map((line) => `ostiary: ${line}\n`)
      .join('')
  return failureText(error)
}

const EXPECTED_ERRORS = [CommandError, UserError, ClientInputError, ClientConflictError]

function errorJson(error: unknown) {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof ConfigError)
    return { message: 'The configuration has faults', faults: error.faults.map(formatConfigFault) }
  if (error instanceof ClientInputError)
    return {
      message: 'The client has faults',
      faults: error.faults.map(({ field, fault }) => `${field}: ${fault}`),
    }
  if (error instanceof StorageError && error.needs_migration) return { message, needs_migration: true }
  return { message }
}

function processTerminal(): Terminal {
  const { stdout, stderr, stdin } = process
  // A reader such as `head` closes its end when it has enough.
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
  return {
    env: process.env,
    cwd: process.cwd(),
    out: (text) => new Promise((resolve) => stdout.write(text, () => resolve())),
    err: (text) => void stderr.write(text),
    ...(stdin.isTTY && stderr.isTTY && { ask: askOnTerminal }),
    stdinBytes: () => stdin,
    async stdin() {
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of stdin) {
        size += chunk.length
        if (size > MAX_STDIN_BYTES) throw usageError('standard input is longer than 64 KiB')
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString('utf8')
    },
  }
}

/** On standard error, since standard output may be a file. An end of the input is an empty answer. */
async function askOnTerminal(question: string): Promise<string> {
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    lines.once('close', () => resolve(''))
    lines.setPrompt(question)
    lines.prompt()
  })
}

const MAX_STDIN_BYTES = 65_536
