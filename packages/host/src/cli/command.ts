/** What a command is: its help, its arguments and options, and what it does. */

import type { AdminConnection } from '@ostiary/admin-client'
import type { Environment } from '../config/environment.js'
import type { ReadOptions } from '../config/read-config.js'

export interface CommandOption {
  /** The name of its value in the help. A flag has none. */
  value?: string
  /** The values that are allowed; any text when absent. */
  choices?: readonly string[]
  /** The option may be repeated. */
  many?: true
  /** Several values may follow the option, which may be repeated too. The command has no positional arguments. */
  variadic?: true
  /** What it does, with its default. */
  help: string
}

interface CommandHelp {
  /** A word, after the words of its group: `serve`, `client create`, `client documents list`. */
  name: string
  /** One line, without a full stop. */
  summary: string
  /** More about the command, in paragraphs. */
  about?: readonly string[]
  /** The names of the positional arguments. The last one may be left out if its name ends with a question mark. */
  args?: readonly string[]
  options?: Readonly<Record<string, CommandOption>>
  /** The command concerns one realm, and has the option `--realm`. */
  of_realm?: true
  /** It works over the admin API of a server too, and has the option `--server`. */
  remote?: true
  /** Lines that contain `ostiary`, each with what it does. */
  examples: readonly (readonly [line: string, meaning: string])[]
}

/** `reads`: it changes nothing, and what it prints has no secret. `serves`: the server has a log of its own. */
export interface QuietCommand extends CommandHelp {
  effect: 'reads' | 'serves'
  run(input: CommandInput, context: CommandContext): Promise<CommandResult | number>
}

/** It changes records, or prints all of them: each run that does something is one event. */
export interface ReportedCommand extends CommandHelp {
  effect: 'changes' | 'exports'
  run(input: CommandInput, context: CommandContext): Promise<ReportedResult>
}

export type Command = QuietCommand | ReportedCommand

/** The arguments and options of one call. */
export interface CommandInput {
  args: readonly string[]
  /** The value of an option; undefined when it is not given. */
  text(option: string): string | undefined
  /** Whether an option is given. */
  flag(option: string): boolean
  /** The values of an option that may be repeated. */
  list(option: string): readonly string[]
}

/** What a command uses of its process. */
export interface CommandContext {
  env: Environment
  cwd: string
  /** Everything on standard input, which is short. */
  stdin(): Promise<string>
  /** Standard input in parts, of any length. */
  stdinBytes(): AsyncIterable<Uint8Array>
  /** Writes a text to standard output, of which a command has too much for its result; resolves when it is written. */
  out(text: string): Promise<void> | void
  /** Writes a text to standard error. */
  err(text: string): void
  /** Asks a question on the terminal, and returns the line that is typed. Absent when there is no terminal. */
  ask?: ((question: string) => Promise<string>) | undefined
  /** Connects to the admin API of a server; absent: with the sign-in that `ostiary login` has stored. */
  connect?(server: string): Promise<AdminConnection>
  /** Starts the server of this runtime; resolves to the exit code. */
  serve(options: ReadOptions): Promise<number>
}

/** The output of a command. With --json the document is printed, without it the text and the note. */
export interface CommandResult {
  text: string
  /** One JSON document; undefined when the command has written its output itself. */
  json: unknown
  /** A reminder for the user, on standard error. */
  note?: string
  /** The exit code; 0 when absent. */
  code?: number
}

export interface ReportedResult extends CommandResult {
  /** Null when the run has changed nothing, as with --plan. */
  event: CommandEvent | null
}

/** What a run has done, for its event `command.done`. It never contains a secret. */
export interface CommandEvent {
  /** The option --realm when absent. */
  realm?: string
  /** The ids of the record. */
  subject?: Readonly<Record<string, string>>
  /** The names of the changed fields. */
  fields?: readonly string[]
  /** Records that were changed, deleted, ended or copied, by kind. */
  count?: Readonly<Record<string, number>>
  /** Whether an export has password hashes, hashes of client secrets, and keys. */
  with_secrets?: boolean
}

/** The exit codes in docs/commands.md: scripts rely on them. */
export const EXIT = { done: 0, failed: 1, usage: 2, not_found: 3 } as const

/** A command cannot be run. The message is a sentence that says what to do. */
export class CommandError extends Error {
  readonly code: number
  /** The help text to print after the message; empty for none. */
  readonly help: string

  constructor(message: string, code: number = EXIT.failed, help = '') {
    super(message)
    this.name = 'CommandError'
    this.code = code
    this.help = help
  }
}

/** The command line is wrong. */
export const usageError = (message: string, help = ''): CommandError =>
  new CommandError(message, EXIT.usage, help)
/** What was asked for cannot be done. */
export const failure = (message: string): CommandError => new CommandError(message)
/** A record that the command line names does not exist. */
export const notFound = (message: string): CommandError => new CommandError(message, EXIT.not_found)
