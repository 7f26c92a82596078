/** What a command is, in the form of `@ostiary/host`. */

import type { Audit, AuditDatabase, AuditSettings } from '@ostiary/audit'
import type { Management, Provider, Realm } from '@ostiary/core'
import type { UserStore } from '@ostiary/identity'

/** The input of a command, as the command line has read it. */
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
  realm: Pick<Realm, 'id' | 'settings'>
  /** The database. */
  records: AuditDatabase | undefined
  config: { audit?: AuditSettings }
  provider: Pick<Provider, 'handle' | 'url'>
  /** Each change has its row, and so has each change of `users`. */
  management: Pick<Management, 'clients' | 'users'>
  users: UserStore
  /** What the configuration names is changed there. */
  entries: {
    clients: readonly { path: string; metadata: { client_id: string } }[]
    users: readonly { path: string; user: { username: string; sub?: string } }[]
  }
  /** Null without `audit.enabled`. */
  audit: Pick<Audit, 'change'> | null
}

/** Errors of a wrong command line, of a missing record, and of a command that cannot run. */
export interface CommandErrors {
  usageError(message: string): Error
  notFound(message: string): Error
  failure(message: string): Error
}

/** What the commands take of the command line. */
export interface CommandTools<Input, Output> extends CommandErrors {
  /** No cell controls the terminal. */
  table(rows: readonly (readonly string[])[]): string
  /** Asks before a change. @throws When the answer is no. */
  confirm(input: Input, output: Output, plan: { effects: readonly string[] }): Promise<void>
  /** Of `@ostiary/identity`: the command line knows its errors. */
  identity: Pick<typeof import('@ostiary/identity'), 'updateUser' | 'setDisabled' | 'usernameKey'>
  /** Of `@ostiary/core`. */
  core: Pick<
    typeof import('@ostiary/core'),
    'clientFields' | 'clientInput' | 'hintOfEvent' | 'catalogReasons'
  >
}

/** Functions of `@ostiary/identity` for operators. */
export type UserFunctions = CommandTools<unknown, unknown>['identity']

/** What the commands use of `@ostiary/core`. */
export type CoreFunctions = CommandTools<unknown, unknown>['core']

/** The output of a command that changes something, with its event; null when nothing was changed. */
export interface ChangeResult extends AuditResult {
  event: {
    subject: Readonly<Record<string, string>>
    fields: readonly string[]
    count?: Readonly<Record<string, number>>
  } | null
}

/** A command in the form of `@ostiary/host`. */
export type AuditCommand<Input, Output> =
  | (CommandText & { effect: 'reads'; run(input: Input, output: Output): Promise<AuditResult> })
  | (CommandText & { effect: 'changes'; run(input: Input, output: Output): Promise<ChangeResult> })

/** The help of a command. */
interface CommandText {
  name: string
  summary: string
  about?: readonly string[]
  args?: readonly string[]
  options?: Readonly<Record<string, { value?: string; help: string }>>
  of_realm: true
  /** It works over the admin API of a server too. */
  remote?: true
  examples: readonly (readonly [line: string, meaning: string])[]
}

/** Opens the realm that a command line names. */
export type OpenPlace<Input, Output> = <Result>(
  input: Input,
  output: Output,
  run: (opened: OpenedRealm) => Promise<Result>,
) => Promise<Result>
