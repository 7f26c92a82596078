/**
 * The protocol between the process that has the embedded database open, the owner, and a command beside it, on a Unix socket.
 *
 * A message is the length of its JSON in four bytes, the highest first, and then the JSON in UTF-8, at most MAX_MESSAGE_BYTES.
 * The command sends a `Hello`, and the owner answers with its own, or with an error. Then each `Request` gets one `Answer`; the
 * command sends the next one when it has the answer. A later version of the protocol keeps this form of a message and of `Hello`.
 *
 * - `query` is one statement, or several without parameters: in the transaction if one is open. The answer has the rows.
 * - `begin` waits until no other transaction is open, and is answered without rows, as `commit` and `rollback` are.
 *
 * A value of a row is what JSON has: the statements of Ostiary return nothing else. A row with another value is refused.
 * A transaction that is open when the connection ends is rolled back, and so is one that exceeds the limits of session.ts.
 */

import type { Param } from '@ostiary/storage-postgres'
import { SCHEMA } from '../schema.js'

const PROTOCOL = 1

/** A page of a thousand users has about 1 MB. */
export const MAX_MESSAGE_BYTES = 33_554_432

/** The first message of both sides. */
export interface Hello {
  protocol: number
  /** Names the steps of the schema: a command would migrate another one below the running server. */
  schema: string
}

export const HELLO: Hello = { protocol: PROTOCOL, schema: SCHEMA }

export type Request =
  | { do: 'query'; text: string; params: readonly Param[] }
  | { do: 'begin' | 'commit' | 'rollback' }

export type Answer = { rows: unknown[] } | { error: ErrorFields }

/** The properties of an error: those of PostgreSQL, and the name and the message of any other one. Never its parameters. */
export type ErrorFields = Readonly<Record<string, string>>

const ERROR_FIELDS = [
  'name',
  'message',
  'code',
  'severity',
  'detail',
  'hint',
  'position',
  'where',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'routine',
]

/** A command that uses the database of another process cannot go on. The message says what to do. */
export class SharedFolderError extends Error {
  /** A code of the system or of PostgreSQL that means the same; empty for none. */
  readonly code: string

  constructor(message: string, code = '') {
    super(message)
    this.name = 'SharedFolderError'
    this.code = code
  }
}

export function errorFields(error: unknown): ErrorFields {
  const { message = String(error), ...fields } = (error ?? {}) as Readonly<Record<string, unknown>>
  // The name and the message of an error are not properties of its own.
  const found: Readonly<Record<string, unknown>> = {
    ...fields,
    message,
    name: error instanceof Error ? error.name : 'Error',
  }
  return Object.fromEntries(
    ERROR_FIELDS.flatMap((name) => {
      const value = found[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    }),
  )
}

/** The error of the owner, as this process throws it. */
export function errorOf({ message = '', ...fields }: ErrorFields): Error {
  if (fields.name === 'SharedFolderError') return new SharedFolderError(message, fields.code)
  return Object.assign(new Error(message), fields)
}

export const isHello = (message: unknown): message is Hello =>
  isObject(message) && typeof message.protocol === 'number' && typeof message.schema === 'string'

export const isSameRelease = ({ protocol, schema }: Hello): boolean =>
  protocol === HELLO.protocol && schema === HELLO.schema

export function isRequest(message: unknown): message is Request {
  if (!isObject(message)) return false
  if (message.do !== 'query') return ['begin', 'commit', 'rollback'].includes(`${message.do}`)
  return typeof message.text === 'string' && Array.isArray(message.params) && message.params.every(isParam)
}

export const isAnswer = (message: unknown): message is Answer =>
  isObject(message) && (Array.isArray(message.rows) || isErrorFields(message.error))

const isErrorFields = (value: unknown): value is ErrorFields =>
  isObject(value) && Object.values(value).every((field) => typeof field === 'string')

const isParam = (value: unknown): value is Param =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws SharedFolderError for a value that would arrive as another one. */
export function requireJson(rows: readonly unknown[]): void {
  for (const row of rows)
    for (const [column, value] of Object.entries(row as object))
      if (!isJson(value))
        throw new SharedFolderError(
          `The column ${column} has a value that a command beside the running server cannot read: stop the server first, or ` +
            'cast the column to text',
        )
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isJson)
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).every(isJson)
}
