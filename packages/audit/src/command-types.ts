/** What a command is, in the form of `@ostiary/host`. */

import type { Provider } from '@ostiary/core'
import type { AuditDatabase } from './database-store.js'
import type { AuditSettings } from './settings.js'
import type { AuditStore } from './store.js'

/** The input of a command, as the command line of `@ostiary/host` has read it. */
export interface AuditInput {
  args: readonly string[]
  text(option: string): string | undefined
  flag(option: string): boolean
}

/** What a command uses of its process. */
export interface AuditOutput {
  cwd: string
  /** Writes a text to standard output. */
  out(text: string): Promise<void> | void
}

/** The output of a command. */
export interface AuditResult {
  text: string
  json: unknown
  note?: string
  /** The exit code. */
  code?: number
}

/** A realm that a command has opened. */
export interface OpenedRealm {
  realm: { id: string }
  /** The database. */
  records: AuditDatabase | undefined
  config: { audit?: AuditSettings }
  provider: Pick<Provider, 'handle' | 'url'>
}

/** The errors of a command line that is wrong, and of a record that does not exist. */
export interface CommandErrors {
  usageError(message: string): Error
  notFound(message: string): Error
}

/** The realm whose audit a command reads. */
export interface AuditPlace extends Pick<OpenedRealm, 'provider'> {
  realm: string
  store: AuditStore
  /** Of the configuration, also of one that keeps nothing any more. */
  keep_days: number
  errors: CommandErrors
}

/** A command in the form of `@ostiary/host`. */
export interface AuditCommand<Input, Output> {
  name: string
  effect: 'reads'
  summary: string
  about?: readonly string[]
  args?: readonly string[]
  options?: Readonly<Record<string, { value?: string; help: string }>>
  of_realm: true
  examples: readonly (readonly [line: string, meaning: string])[]
  run(input: Input, output: Output): Promise<AuditResult>
}

/** Opens the realm that a command line names. */
export type OpenPlace<Input, Output> = (
  input: Input,
  output: Output,
  run: (opened: OpenedRealm) => Promise<AuditResult>,
) => Promise<AuditResult>
