/** What the command is, in the form of `@ostiary/host`. */

import type { SinkDatabase } from './database-store.js'
import type { SinkSettings } from './settings.js'

/** The output of a command. */
export interface SinkResult {
  text: string
  json: unknown
  note?: string
}

/** A result of `ostiary doctor`. */
export interface SinkFinding {
  check: 'sinks'
  status: 'ok' | 'fault'
  message: string
  advice?: string
}

/** A realm that a command has opened. */
export interface OpenedRealm {
  realm: { id: string }
  /** The database. */
  records: SinkDatabase | undefined
  config: { audit_sinks?: readonly SinkSettings[] }
}

/** What the command takes of the command line. */
export interface TextTools {
  /** A line for each row. No cell controls the terminal. */
  table(rows: readonly (readonly string[])[]): string
}

/** A command in the form of `@ostiary/host`. */
export interface SinkCommand<Input, Output> {
  name: string
  summary: string
  about: readonly string[]
  of_realm: true
  effect: 'reads'
  examples: readonly (readonly [line: string, meaning: string])[]
  run(input: Input, output: Output): Promise<SinkResult>
}

/** Opens the realm that a command line names. */
export type OpenPlace<Input, Output> = <Result>(
  input: Input,
  output: Output,
  run: (opened: OpenedRealm) => Promise<Result>,
) => Promise<Result>
