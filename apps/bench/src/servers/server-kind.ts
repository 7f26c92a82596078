/** The interface of a server that can be measured. */

import type { Runtime } from '../run/runtimes.js'
import type { Target } from '../target.js'
import type { WorkloadName } from '../workloads/index.js'

export const STORAGES = ['memory', 'embedded', 'postgres', 'mix'] as const
export type Storage = (typeof STORAGES)[number]
export const PEERS = ['oidc-provider', 'better-auth', 'jose'] as const
export type Peer = (typeof PEERS)[number]

/** `guard` and `resource` are APIs, the others are providers. */
type Role = 'provider' | 'guard' | 'resource' | 'bare'

export interface ServerKind {
  /** Unique; as it is shown. */
  name: string
  role: Role
  /** Undefined where it keeps no records. */
  storage?: Storage
  runtime: Runtime
  peer?: Peer
  /** The program and its arguments. */
  command: readonly string[]
  /** Our configuration file is written for it. */
  ours: boolean
  /** A path that answers 200 when it is ready. */
  ready: string
  /** Where its endpoints are. */
  target(origin: string): Omit<Target, 'origin'>
  /** It can be started so that it signs access tokens with ES256, and takes DPoP proofs. */
  signs_es256?: true
  /** Workloads to leave out, beside those whose endpoints it lacks. */
  not?: readonly WorkloadName[]
}

/** Whether it keeps records in PostgreSQL. */
export const onPostgres = (storage: Storage | undefined): boolean =>
  storage === 'postgres' || storage === 'mix'

export const DISCOVERY = '/.well-known/openid-configuration'
