/** What a command is, in the form of `@ostiary/host`. */

import type { ProviderOptions, Realm } from '@ostiary/core'
import type { Extension, IdentitySettings, SignInSettings, User } from '@ostiary/identity'
import type { Rows } from './noted.js'
import type { CoreFunctions } from './place/place.js'
import type { SignInPlace } from './sign-in.js'

/** A command line. */
export interface SimulationInput {
  args: readonly string[]
  text(option: string): string | undefined
  list(option: string): readonly string[]
}

/** The output of a command. */
export interface SimulationResult {
  text: string
  json: unknown
}

/** What finds the user of a command line. */
export interface Users {
  find(sub: string): Promise<User | null>
  findByUsername(key: string): Promise<User | null>
}

/** A realm that a command has opened. */
export interface OpenedRealm extends Pick<SignInPlace, 'factors' | 'links'> {
  realm: Realm
  users: Users
  /** Null in a server where users do not sign in with an address. */
  by_email: { extension: Extension } | null
  entries: { identity: IdentitySettings }
  /** Null without `audit.enabled`. */
  audit: Rows | null
}

/** Errors and texts of the command line. */
export interface LineTools {
  usageError(message: string): Error
  notFound(message: string): Error
  failure(message: string): Error
  /** A line for each row. No cell controls the terminal. */
  table(rows: readonly (readonly string[])[]): string
}

/** What the commands take of the command line. */
export interface CommandTools<Opened> extends LineTools {
  /** Of `@ostiary/core`. */
  core: CoreFunctions
  /** Of `@ostiary/identity`. */
  passkeysFor: SignInPlace['passkeysFor']
  signInSettings(realm: Realm, settings: IdentitySettings): SignInSettings
  /** What a server of the configuration has. */
  serverOf(opened: Opened): Promise<{ provider: ProviderOptions; extensions: readonly Extension[] }>
  throttlesOf(opened: Opened): SignInPlace['throttles']
}

/** A command in the form of `@ostiary/host`. */
export interface SimulationCommand<Input, Output> {
  name: string
  effect: 'reads'
  summary: string
  about?: readonly string[]
  args?: readonly string[]
  options?: Readonly<
    Record<string, { value?: string; choices?: readonly string[]; many?: true; help: string }>
  >
  of_realm: true
  remote: true
  examples: readonly (readonly [line: string, meaning: string])[]
  run(input: Input, output: Output): Promise<SimulationResult>
}

/** Sends a request about the realm to the admin API. */
export type Send = (method: string, path: readonly string[], call: { body: object }) => Promise<unknown>

/** Opens the realm that a command line names: here, or on the server that it names. */
export type OpenPlace<Input, Output, Parts extends unknown[]> = (
  input: Input,
  output: Output,
  run: (...parts: Parts) => Promise<SimulationResult>,
) => Promise<SimulationResult>
