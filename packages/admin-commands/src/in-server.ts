import type { RealmOperations, SendRequest } from '@ostiary/admin-client/remote'

/** Runs a command on the realm that a command line names, on the server of its option `--server`. */
export type InServer<Input, Output> = <Result>(
  input: Input,
  output: Output,
  run: (realm: RealmOperations, send: SendRequest) => Promise<Result>,
) => Promise<Result>
