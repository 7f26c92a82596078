import { NoPrimaryError, SchemaError } from '@ostiary/storage-postgres/errors'

/** The storage cannot be used. The message is a sentence for the operator who starts the server. */
export class StorageError extends Error {
  /** True when the database must be migrated first. */
  readonly needs_migration: boolean

  constructor(
    message: string,
    { cause, needs_migration = false }: { cause: unknown; needs_migration?: boolean },
  ) {
    super(message, { cause })
    this.name = 'StorageError'
    this.needs_migration = needs_migration
  }
}

/** A subject for `storageError`. */
export const DATABASE_SUBJECT = 'The database that DATABASE_URL names'

/** @param subject Names the storage, as the subject of the sentence. */
export function storageError(subject: string, cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause
  if (isFolderInUse(cause) || isDatabaseMissing(cause)) return new StorageError(cause.message, { cause })
  if (cause instanceof SchemaError)
    return new StorageError(cause.message, { cause, needs_migration: cause.state === 'older' })
  const advice = databaseAdvice(cause)
  const sentence = `${subject} cannot be used: ${messageOf(cause)}`
  return new StorageError(advice === null ? sentence : `${sentence}. ${advice}`, { cause })
}

/** What to do about an error of a PostgreSQL or of a pooler in front of it; null when the error says enough. */
export function databaseAdvice(cause: unknown): string | null {
  if (cause instanceof NoPrimaryError)
    return 'Name the primary in DATABASE_URL, or every server: postgres://user:password@host1:5432,host2:5432/database.'
  const [, parameter] = /unsupported startup parameter: (\w+)/.exec(messageOf(cause)) ?? []
  if (parameter === undefined) return null
  const inPooler = `Add ${parameter} to ignore_startup_parameters in the configuration of PgBouncer`
  return parameter === 'statement_timeout'
    ? `${inPooler}, or set OSTIARY_DATABASE__STATEMENT_TIMEOUT to 0; see "PgBouncer" in docs/run-it.md.`
    : `${inPooler}, or remove it from DATABASE_URL.`
}

/** Another process uses the folder of the embedded database. The class is in a package that need not be installed. */
export const isFolderInUse = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'FolderInUseError'

const isDatabaseMissing = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'DatabaseMissingError'

/** If Node cannot connect to any address of a host, it throws one AggregateError, whose own message is empty. */
function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(messageOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}
