/** What an operation of the API is: the router, the OpenAPI document and the tests follow from its row. */

import type { Management } from '@ostiary/core'
import type {
  createUser,
  ManageUsersOptions,
  setDisabled,
  setPassword,
  UserStore,
  updateUser,
  usernameKey,
} from '@ostiary/identity'
import type * as z from 'zod'
import type { Access, Area } from '../roles/rights.js'
import type { RecordsChange } from '../roles/role-changes.js'
import type { Holder, KnownRealms, RoleRow, RoleStore } from '../roles/role-store.js'
import type { CursorKey } from './cursor.js'
import type { Plan } from './dry-run/plan.js'
import type { PlanStores, RealmParts } from './parts.js'

type Method = 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'

/** Who calls. */
interface Caller {
  holder: Holder
  roles: readonly RoleRow[]
}

/** What the configuration names; it is changed there. */
export interface ConfiguredEntries {
  clients: readonly { path: string; metadata: { client_id: string } }[]
  users: readonly { path: string; user: { username: string; sub?: string } }[]
}

/** Functions of `@ostiary/identity`. */
export interface UserFunctions {
  createUser: typeof createUser
  updateUser: typeof updateUser
  setDisabled: typeof setDisabled
  setPassword: typeof setPassword
  usernameKey: typeof usernameKey
}

/** How passwords of a realm are hashed, and what they must be; null in a realm without passwords. */
export type PasswordSettings = Pick<ManageUsersOptions, 'passwords' | 'password_rules'> | null

/** One call of an operation. */
export interface Call {
  realm: string
  /** The admin realm, and all realms. */
  admin_realm: string
  realms: KnownRealms
  /** The names of the admin resource. */
  resource: readonly string[]
  params: Readonly<Record<string, string>>
  request: Request
  caller: Caller
  /** Each change has its row in the audit. */
  management: Management
  users: UserStore
  identity: UserFunctions
  passwords(): Promise<PasswordSettings>
  audit: RecordsChange | null
  /** What the realm has beside these. */
  parts(plan?: PlanStores): Promise<RealmParts>
  /** Management without rows: for plans, which change nothing. */
  plans: Management
  roles: RoleStore
  configured: ConfiguredEntries
  cursor: CursorKey
  /** Of a dry run: what no store knows of is not done. */
  is_planned: boolean
  /** Of a dry run: what is changed in no store of these is told to it. */
  plan: Pick<Plan, 'set' | 'ends'> | null
  /** Epoch seconds. */
  now: number
  emit(event: RoleEvent | RealmEvent): void
}

/** A realm that was made, changed or deleted at run time. */
interface RealmEvent {
  type: 'realm.created' | 'realm.updated' | 'realm.deleted'
  realm_id: string
}

/** A role that was given or taken. */
interface RoleEvent {
  type: 'role.granted' | 'role.revoked'
  sub: string | null
  client_id: string | null
  role: string
  realms: readonly string[]
}

/** What an operation answers. */
export interface Answer {
  status?: number
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

/** One operation. */
export interface Operation {
  /** The `operationId`. */
  id: string
  method: Method
  /** Below `/admin/api/v1`, and in its row below the realm; its parameters are in braces. */
  path: string
  /** Of the server: its row is not below a realm, and its rows in the audit are in the admin realm. The role is one in the realm that its path names. */
  of_server?: true
  summary: string
  area: Area
  access: Access
  /** `recent`: a person must have signed in within 300 seconds; else within 3,600. */
  recent?: true
  query?: z.ZodObject
  body?: z.ZodType
  /** RFC 7396. */
  is_patch?: true
  /** By status; null for an answer without a body. */
  answers: Readonly<Record<number, z.ZodType | null>>
  /** A further area that has to be readable, because of what the body names; null for none. */
  also?(body: never): Area | null
  /** A change of an existing record needs If-Match. */
  needs_match?: true
  /** The answer has an ETag. */
  has_etag?: true
  run(call: Call, given: { query: never; body: never }): Promise<Answer>
}

type Given<Q, B> = {
  query: Q extends z.ZodType ? z.output<Q> : Record<string, never>
  body: B extends z.ZodType ? z.output<B> : undefined
}

/** Types a row by its schemas. */
export const operation = <
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  row: Omit<Operation, 'run' | 'query' | 'body'> & {
    query?: Q
    body?: B
    run(call: Call, given: Given<Q, B>): Promise<Answer>
  },
): Operation => row as unknown as Operation
