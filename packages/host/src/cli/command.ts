/** What a command is: its help, what it takes, and what it does. */

import type { Environment } from '../config/environment.js'
import type { ReadOptions } from '../config/read-config.js'

export interface Option {
  /** What stands for its value in the help; absent: it takes none. */
  value?: string
  /** May be given more than once. */
  many?: true
  /** What it does, with its default. */
  help: string
}

export interface Command {
  /** One word or two. */
  name: string
  /** A line. */
  summary: string
  /** What else one has to know; paragraphs. */
  about?: readonly string[]
  /** Positional arguments by name, all needed. */
  args?: readonly string[]
  options?: Readonly<Record<string, Option>>
  /** It is about one realm, and takes `--realm`. */
  of_realm?: true
  /** Lines that begin with `ostiary`, each with what it does. */
  examples: readonly (readonly [line: string, meaning: string])[]
  run(input: Input, surroundings: Surroundings): Promise<Outcome | number>
}

export interface Input {
  args: readonly string[]
  /** The value of an option; the last one where it is given twice. */
  text(option: string): string | undefined
  flag(option: string): boolean
  list(option: string): readonly string[]
}

/** What the process around a command gives it. */
export interface Surroundings {
  env: Environment
  cwd: string
  /** Everything on standard input. */
  stdin(): Promise<string>
  /** Takes a text for standard error. */
  err(text: string): void
  /** The runtime's server; resolves to the exit code. */
  serve(options: ReadOptions): Promise<number>
}

/** What a command has to say; which of the two is shown is the caller's choice. */
export interface Outcome {
  text: string
  /** One document. */
  json: unknown
  /** For people, on standard error: what to keep in mind. */
  note?: string
  /** 0 when absent. */
  code?: number
}

/** Documented in docs/commands.md: scripts rely on them. */
export const EXIT = { done: 0, failed: 1, usage: 2, not_found: 3 } as const

/** It cannot be done like this. The message is a sentence that says what to do. */
export class CommandError extends Error {
  readonly code: number

  constructor(message: string, code: number = EXIT.failed) {
    super(message)
    this.name = 'CommandError'
    this.code = code
  }
}

/** The command line is wrong. */
export const usageError = (message: string): CommandError => new CommandError(message, EXIT.usage)
/** What the command names is not there. */
export const notFound = (message: string): CommandError => new CommandError(message, EXIT.not_found)
