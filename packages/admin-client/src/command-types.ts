/** What a command is, in the form of `@ostiary/host`. */

import type { Environment } from './store/config-folder.js'

/** The input of a command, as the command line of `@ostiary/host` has read it. */
export interface LoginInput {
  args: readonly string[]
  flag(option: string): boolean
}

/** What a command uses of its process. */
export interface LoginOutput {
  env: Environment
  /** Writes a text to standard error. */
  err(text: string): void
}

/** The output of a command. */
export interface LoginResult {
  text: string
  json: unknown
  note?: string
  /** The exit code. */
  code?: number
}

/** What the commands take of the command line. */
export interface LoginTools {
  notFound(message: string): Error
  failure(message: string): Error
  /** A line for each row. No cell controls the terminal. */
  table(rows: readonly (readonly string[])[]): string
}

/** A command in the form of `@ostiary/host`. */
export interface LoginCommand<Input, Output> {
  name: string
  summary: string
  about: readonly string[]
  args: readonly string[]
  options?: Readonly<Record<string, { help: string }>>
  effect: 'reads'
  examples: readonly (readonly [line: string, meaning: string])[]
  run(input: Input, output: Output): Promise<LoginResult>
}
