import { SchemaError } from '@ostiary/storage-postgres/errors'

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
  if (isFolderInUse(cause)) return new StorageError(cause.message, { cause })
  if (cause instanceof SchemaError)
    return new StorageError(cause.message, { cause, needs_migration: cause.state === 'older' })
  return new StorageError(`${subject} cannot be used: ${messageOf(cause)}`, { cause })
}

/** Another process uses the folder of the embedded database. The class is in a package that need not be installed. */
export const isFolderInUse = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'FolderInUseError'

/** If Node cannot connect to any address of a host, it throws one AggregateError, whose own message is empty. */
function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(messageOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}
