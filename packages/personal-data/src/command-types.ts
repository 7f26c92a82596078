/** What a command is, in the form of `@ostiary/host`. */

import type { openRoleStore, RoleDatabase } from '@ostiary/admin'
import type { AuditDatabase, openAuditStore } from '@ostiary/audit'
import type { User } from '@ostiary/identity'
import type { PersonalDataSources } from './document.js'

/** A realm that a command has opened. */
export interface OpenedRealm extends Omit<PersonalDataSources, 'roles' | 'audit' | 'now'> {
  /** The database. */
  records: (AuditDatabase & RoleDatabase) | undefined
}

/** What the command takes of the command line. */
export interface UserTools<Opened, Input> {
  /** The user that the command line names. @throws When there is none. */
  findUser(opened: Opened, input: Input): Promise<User>
  /** The packages of roles and of the audit: loaded when the command runs. */
  admin(): Promise<StoreFunctions['admin']>
  audit(): Promise<StoreFunctions['audit']>
}

/** What opens the roles, and the rows of the audit. */
export interface StoreFunctions {
  admin: { openRoleStore: typeof openRoleStore }
  audit: { openAuditStore: typeof openAuditStore }
}

/** The output of the command, with its event. */
export interface ExportResult {
  text: string
  json: unknown
  event: { subject: Readonly<Record<string, string>>; with_secrets: false }
}

/** The command in the form of `@ostiary/host`. */
export interface ExportCommand<Input, Output> {
  name: string
  summary: string
  about: readonly string[]
  args: readonly string[]
  options: Readonly<Record<string, { help: string }>>
  of_realm: true
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
