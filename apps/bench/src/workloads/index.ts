/** All workloads, by the names of `--only`, in the order of the report. */

import {
  authorization_code,
  authorization_code_dpop,
  authorization_code_es256,
  password_login,
  refresh,
  refresh_dpop,
  refresh_es256,
  userinfo,
} from './code-flow.js'
import { discovery, jwks } from './documents.js'
import {
  client_credentials,
  client_credentials_dpop,
  client_credentials_es256,
  introspection,
} from './machine.js'
import { registration } from './registration.js'
import { guard, jwks_validation } from './validation.js'
import type { Workload } from './workload.js'

export const workloads = {
  discovery,
  jwks,
  client_credentials,
  authorization_code,
  refresh,
  introspection,
  userinfo,
  guard,
  jwks_validation,
  registration,
  password_login,
  client_credentials_es256,
  client_credentials_dpop,
  authorization_code_es256,
  authorization_code_dpop,
  refresh_es256,
  refresh_dpop,
} satisfies Record<string, Workload>

/** Whether its servers sign access tokens with ES256, and take DPoP proofs. */
export const isEs256 = (name: WorkloadName): boolean =>
  (workloads[name] as Workload).es256_signatures !== undefined

export type WorkloadName = keyof typeof workloads
export const WORKLOAD_NAMES = Object.keys(workloads) as WorkloadName[]
