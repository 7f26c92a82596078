import type { RealmApi, RealmOperations } from '@ostiary/admin-client/remote'

/** Runs a command on the realm that a command line names, on the server of its option `--server`. */
export type InServer<Input, Output> = <Result>(
  input: Input,
  output: Output,
  run: (realm: RealmOperations, api: RealmApi) => Promise<Result>,
) => Promise<Result>
