/** What the command is, in the form of `@ostiary/host`. */

import type { User, UserStore } from '@ostiary/identity'
import type { ExportResult, OpenedRealm as Opened, StoreFunctions } from '@ostiary/personal-data'

type Users = Pick<UserStore, 'find' | 'findByUsername' | 'list'>

/** A command line. */
export interface ExportInput {
  text(option: string): string | undefined
}

/** A realm that a command has opened. */
export interface OpenedRealm extends Opened {
  users: Users
}

/** What the command takes of the command line. */
export interface UserTools<Input> {
  failure(message: string): Error
  /** The user that the command line names. @throws When there is none. */
  findUser(realm: { users: Users }, input: Input): Promise<User>
  /** The packages of roles and of the audit: loaded when the command runs. */
  admin(): Promise<StoreFunctions['admin']>
  audit(): Promise<StoreFunctions['audit']>
}

/** The command in the form of `@ostiary/host`. */
export interface ExportCommand<Input, Output> {
  name: string
  summary: string
  about: readonly string[]
  args: readonly string[]
  options: Readonly<Record<string, { help: string }>>
  of_realm: true
  remote: true
  examples: readonly (readonly [line: string, meaning: string])[]
  effect: 'exports'
  run(input: Input, output: Output): Promise<ExportResult>
}

/** Opens the realm that a command line names. */
export type OpenPlace<Opened, Input, Output> = <Result>(
  input: Input,
  output: Output,
  run: (opened: Opened) => Promise<Result>,
) => Promise<Result>
