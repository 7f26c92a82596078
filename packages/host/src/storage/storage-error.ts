import { FolderInUseError, SchemaError } from '@ostiary/storage-postgres/errors'

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

export const THE_DATABASE = 'The database that DATABASE_URL names'

/** @param what Which storage, as the subject of a sentence. */
export function storageError(what: string, cause: unknown): StorageError {
  if (cause instanceof FolderInUseError) return new StorageError(cause.message, { cause })
  if (cause instanceof SchemaError)
    return new StorageError(cause.message, { cause, needs_migration: cause.state === 'older' })
  return new StorageError(`${what} cannot be used: ${messageOf(cause)}`, { cause })
}

/** Node tries every address of a host; the error for all of them has no message. */
function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(messageOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}
