/** What an operation is, and what it takes of `@ostiary/admin`, which calls it. */

import type * as z from 'zod'
import type { RealmChanger } from './changes.js'
import type { RealmCounts } from './effects.js'

/** A role of the caller. */
interface Held {
  role: string
  realms: readonly string[]
}

interface Right {
  area: 'realms'
  access: 'read' | 'write'
}

/** A call of an operation. */
export interface RealmCall extends Pick<RealmChanger, 'audit' | 'now'> {
  params: Readonly<Record<string, string>>
  request: Request
  admin_realm: string
  caller: { roles: readonly Held[] }
  /** Nothing in a dry run. */
  emit(event: { type: 'realm.created' | 'realm.updated' | 'realm.deleted'; realm_id: string }): void
  /** Of a dry run. */
  plan: (RealmChanger['plan'] & { ends(counts: RealmCounts): void }) | null
}

/** What it answers. */
export interface Answer {
  status?: number
  body: unknown
  headers?: Readonly<Record<string, string>>
}

interface PageQuery {
  limit: number
  cursor?: string | undefined
  after?: string | undefined
}

/** What the parameters and the body of these operations can have, as their schemas have read them. */
interface Given {
  query: PageQuery & { overwrite?: boolean | undefined }
  body: Readonly<Record<string, unknown>>
}

/** An operation in the form of `@ostiary/admin`. */
export interface RealmOperation extends Right {
  id: string
  method: 'GET' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  of_server: true
  summary: string
  recent?: true
  query?: z.ZodObject
  body?: z.ZodType
  is_patch?: true
  answers: Readonly<Record<number, z.ZodType>>
  needs_match?: true
  has_etag?: true
  run(call: RealmCall, given: Given): Promise<Answer>
}

interface ListedPage<T> {
  list: string
  query: PageQuery
  read(page: { after?: string; limit: number }): Promise<T[]>
  idOf(item: T): string
}

/** What `createAdmin` gives to operations of other packages. */
export interface AdminKit {
  OVERWRITE: z.ZodRawShape
  PAGE: z.ZodRawShape
  /** The realms in which the roles allow it; `*` for all. */
  heldRealms(roles: readonly Held[], right: Right): string[]
  /** The same answer for what does not exist and for what the caller may not see. */
  notFound(): Error
  pageOf(item: z.ZodType): z.ZodType
  pageOfList<T>(call: RealmCall, page: ListedPage<T>): Promise<object>
  requireAbsent(request: Request, etag: string): void
  requireMatch(seen: { request: Request; overwrite?: boolean | undefined }, etag: string): void
  requireNoneNamed(request: Request): void
}
