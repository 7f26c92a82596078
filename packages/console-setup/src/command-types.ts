/** What a command is, in the form of `@ostiary/host`. */

import type { ShownUpstream, UpstreamCheck } from './upstreams/upstream.js'

/** A command line. */
export interface UpstreamInput {
  args: readonly string[]
  text(option: string): string | undefined
}

/** The output of a command. */
export interface UpstreamResult {
  text: string
  json: unknown
  note?: string
  /** The exit code. */
  code?: number
}

/** What the commands take of the command line. */
export interface UpstreamTools {
  notFound(message: string): Error
  failure(message: string): Error
  /** A line for each row. No cell controls the terminal. */
  table(rows: readonly (readonly string[])[]): string
}

/** The other providers of a realm, of a configuration here or on a server. */
export interface Upstreams {
  list: readonly ShownUpstream[]
  /** Null when there is no such provider. */
  check(id: string): Promise<UpstreamCheck | null>
}

/** Reads the configuration of this machine, for the realm that a command line names. */
export type OpenUpstreams<Input, Output> = (input: Input, output: Output) => Promise<Upstreams>

/** Sends a request about the realm to the admin API. */
type Send = <Answer>(method: string, path: readonly string[]) => Promise<Answer>

/** Runs a command on the server of the option `--server`. */
export type InServer<Input, Output> = <Result>(
  input: Input,
  output: Output,
  run: (realm: unknown, send: Send) => Promise<Result>,
) => Promise<Result>

/** A command in the form of `@ostiary/host`. */
export interface UpstreamCommand<Input, Output> {
  name: string
  effect: 'reads'
  summary: string
  about?: readonly string[]
  args?: readonly string[]
  of_realm: true
  remote: true
  examples: readonly (readonly [line: string, meaning: string])[]
  run(input: Input, output: Output): Promise<UpstreamResult>
}
