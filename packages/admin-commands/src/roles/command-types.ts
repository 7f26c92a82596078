/** What a command is, in the form of `@ostiary/host`. */

import type { AdminSettings, RecordsChange, RoleDatabase } from '@ostiary/admin'
import type { Realm } from '@ostiary/core'
import type { createRecoveryLink, createUser, TicketStore, UserStore, usernameKey } from '@ostiary/identity'

/** The input of a command, as the command line of `@ostiary/host` has read it. */
export interface AdminInput {
  args: readonly string[]
  text(option: string): string | undefined
  flag(option: string): boolean
  list(option: string): readonly string[]
}

/** The output of a command. */
export interface AdminResult {
  text: string
  json: unknown
  note?: string
}

/** The output of a command that changes something, with its event; null when nothing was changed. */
export interface ChangeResult extends AdminResult {
  event: {
    subject: Readonly<Record<string, string>>
  } | null
}

/** The admin realm, opened by a command. */
export interface OpenedRealm {
  realm: Realm
  /** The database. */
  records: RoleDatabase | undefined
  config: {
    admin?: AdminSettings
    oidc: { routes?: { realms?: string | undefined } | undefined; realms?: object | undefined }
  }
  management: { clients: { find(client_id: string): Promise<object | null> } }
  /** Each change has its row. */
  users: UserStore
  tickets: TicketStore
  /** Null without `audit.enabled`. */
  audit: RecordsChange | null
  /** Whether there is a realm, where they are made at run time. */
  knownRealm?: ((id: string) => Promise<boolean>) | undefined
}

/** What the commands take of the command line, and of `@ostiary/identity`, whose errors the command line knows. */
export interface AdminTools {
  usageError(message: string): Error
  notFound(message: string): Error
  failure(message: string): Error
  /** A line for each row, each column as wide as its widest cell. No cell controls the terminal. */
  table(rows: readonly (readonly string[])[]): string
  identity: UserFunctions
}

/** Functions of `@ostiary/identity` for operators. */
interface UserFunctions {
  createUser: typeof createUser
  createRecoveryLink: typeof createRecoveryLink
  usernameKey: typeof usernameKey
}

/** A command in the form of `@ostiary/host`. */
export type AdminCommand<Input, Output> =
  | (CommandText & { effect: 'reads'; run(input: Input, output: Output): Promise<AdminResult> })
  | (CommandText & { effect: 'changes'; run(input: Input, output: Output): Promise<ChangeResult> })

/** The help of a command. */
interface CommandText {
  name: string
  summary: string
  about?: readonly string[]
  args?: readonly string[]
  options?: Readonly<Record<string, { value?: string; many?: true; help: string }>>
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
