/** What a command is, in the form of `@ostiary/host`. */

import type { RealmChanger } from '../changes.js'
import type { RealmCounts } from '../effects.js'

/** The input of a command, as the command line of `@ostiary/host` has read it. */
export interface RealmInput {
  args: readonly string[]
  text(option: string): string | undefined
  flag(option: string): boolean
}

/** The output of a command. */
export interface RealmResult {
  text: string
  json: unknown
  note?: string
}

/** The output of a command that changes a realm, with its event; null when nothing was changed. */
export interface RealmChangeResult extends RealmResult {
  event: { realm: string; fields?: readonly string[] } | null
}

/** The realms of this machine, opened by a command. */
export interface OpenedRealms {
  changer: RealmChanger
  count(id: string): Promise<RealmCounts>
}

/** Sends a request about one realm, or with an empty id about all. Throws `ApiRefusal` of `@ostiary/admin-client`. */
export type SendRequest = <Answer>(
  method: string,
  path: readonly string[],
  call?: {
    query?: Readonly<Record<string, string>>
    body?: unknown
    headers?: Readonly<Record<string, string>>
  },
) => Promise<Answer>

/** What the commands take of the command line. */
export interface RealmTools<Input, Output> {
  usageError(message: string): Error
  notFound(message: string): Error
  failure(message: string): Error
  /** A line for each row. No cell controls the terminal. */
  table(rows: readonly (readonly string[])[]): string
  /** Asks before something that cannot be undone. @throws the error of a command for another answer */
  confirm(input: Input, output: Output, plan: { effects: readonly string[]; name?: string }): Promise<void>
  /** Standard input, at most 64 KiB. */
  stdin(output: Output): Promise<string>
}

/** Where commands work. */
export interface RealmPlaces<Input, Output> {
  /** Opens the realms of this machine, where realms are made at run time; runs with null elsewhere. */
  here<Result>(output: Output, run: (opened: OpenedRealms | null) => Promise<Result>): Promise<Result>
  /** Connects to the realm of the option `--realm`, on the server of `--server`. */
  inServer<Result>(
    input: Input,
    output: Output,
    run: (realm: unknown, send: SendRequest) => Promise<Result>,
  ): Promise<Result>
}

/** A command in the form of `@ostiary/host`. */
export type RealmCommand<Input, Output> =
  | (CommandText & { effect: 'reads'; run(input: Input, output: Output): Promise<RealmResult> })
  | (CommandText & { effect: 'changes'; run(input: Input, output: Output): Promise<RealmChangeResult> })

/** The help of a command. */
interface CommandText {
  name: string
  summary: string
  about?: readonly string[]
  args?: readonly string[]
  options?: Readonly<Record<string, { value?: string; help: string }>>
  remote: true
  examples: readonly (readonly [line: string, meaning: string])[]
}
