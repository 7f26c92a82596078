/** What an operation is, and what it takes of a call of the admin API. */

import type { Management, Realm } from '@ostiary/core'
import type { User } from '@ostiary/identity'
import type * as z from 'zod'

/** Writes rows of the audit: `RecordsChange` of `@ostiary/admin`. */
interface Rows {
  change<T>(change: { realm: string; type: string }, run: () => Promise<T>): Promise<T>
}

/** The list that a cursor is of. */
interface ListPlace {
  realm: string
  list: string
  filter?: Readonly<Record<string, unknown>>
}

/** What statements need of a database. */
export interface QueryRunner {
  /** Returns the rows. */
  query<T>(text: string, params?: readonly (string | number | boolean | null)[]): Promise<T[]>
}

/** A call of an operation: `@ostiary/admin` makes it. */
export interface RealmCall {
  realm: string
  /** Of the path. */
  params: Readonly<Record<string, string>>
  /** Each change has its row in the audit. */
  management: Management
  users: { list(page: { after?: string; limit: number }): Promise<User[]> }
  audit: Rows | null
  cursor: {
    write(place: ListPlace, after: string): string
    /** @throws an error for a cursor of another list */
    read(place: ListPlace, cursor: string): string
  }
  /** Of a dry run. */
  is_planned: boolean
  /** Epoch seconds. */
  now: number
  /** `records`: the database, `divided` where several have the users, null where they are in memory. */
  parts(): Promise<{ realm: Realm; records: QueryRunner | 'divided' | null }>
}

/** An operation in the form of `@ostiary/admin`. */
export interface RealmOperation {
  id: string
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  summary: string
  area: 'consents' | 'keys' | 'realms' | 'users'
  access: 'read' | 'write'
  /** A person must have signed in within 300 seconds. */
  recent?: true
  /** What has to be readable too. */
  also?(body: never): 'sessions' | null
  query?: z.ZodObject
  body?: z.ZodType
  answers: Readonly<Record<number, z.ZodType>>
  run(call: RealmCall, given: { query: never; body: never }): Promise<{ status?: number; body: unknown }>
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
  row: Omit<RealmOperation, 'run' | 'query' | 'body'> & {
    query?: Q
    body?: B
    run(call: RealmCall, given: Given<Q, B>): Promise<{ status?: number; body: unknown }>
  },
): RealmOperation => row as unknown as RealmOperation
