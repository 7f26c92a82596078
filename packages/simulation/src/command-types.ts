/** What a command is, in the form of `@ostiary/host`. */

import type { ProviderOptions, Realm } from '@ostiary/core'
import type { Extension, Factor, IdentitySettings, Link, SignInSettings, User } from '@ostiary/identity'
import type { Rows } from './noted.js'
import type { CoreFunctions } from './place/place.js'
import type { SignInLimit, SignInSources } from './sign-in.js'

/** The input of a command, as the command line has read it. */
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

/** A realm that a command has opened. */
export interface OpenedRealm {
  realm: Realm
  users: { find(sub: string): Promise<User | null>; findByUsername(key: string): Promise<User | null> }
  factors: { list(sub: string): Promise<Factor[]> }
  links: { list(sub: string): Promise<Link[]> }
  /** Null in a server where users do not sign in with an address. */
  by_email: { extension: Extension } | null
  entries: { identity: IdentitySettings }
  /** Null without `audit.enabled`. */
  audit: Rows | null
}

/** What the commands take of the command line. */
export interface CommandTools<Opened> {
  usageError(message: string): Error
  notFound(message: string): Error
  failure(message: string): Error
  /** A line for each row. No cell controls the terminal. */
  table(rows: readonly (readonly string[])[]): string
  /** Of `@ostiary/core`. */
  core: CoreFunctions
  /** Of `@ostiary/identity`. */
  passkeysFor: SignInSources['passkeysFor']
  signInSettings(realm: Realm, settings: IdentitySettings): SignInSettings
  /** What a server of the configuration has. */
  serverOf(opened: Opened): Promise<{ provider: ProviderOptions; extensions: readonly Extension[] }>
  throttlesOf(
    opened: Opened,
    selection: { username?: string; address?: string },
  ): Promise<readonly SignInLimit[]>
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
  examples: readonly (readonly [line: string, meaning: string])[]
  run(input: Input, output: Output): Promise<SimulationResult>
}

/** Opens the realm that a command line names. */
export type OpenPlace<Input, Output, Opened> = (
  input: Input,
  output: Output,
  run: (opened: Opened) => Promise<SimulationResult>,
) => Promise<SimulationResult>
