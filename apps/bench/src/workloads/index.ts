/** All workloads, by the names of `--only`, in the order of the report. */

import { authorization_code, password_login, refresh, userinfo } from './code-flow.js'
import { discovery, jwks } from './documents.js'
import { client_credentials, introspection } from './machine.js'
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
} satisfies Record<string, Workload>

export type WorkloadName = keyof typeof workloads
export const WORKLOAD_NAMES = Object.keys(workloads) as WorkloadName[]
