import { dirname } from 'node:path'
import type { SealedKeyError } from '@ostiary/core'
import { databaseAdvice, SchemaError } from '@ostiary/storage-postgres/errors'
import type { HostConfig } from '../config/host-config.js'
import { isRestored } from './outage.js'

/** The storage cannot be used. The message is a sentence for the operator who starts the server. */
export class StorageError extends Error {
  /** True when the database must be migrated first. */
  readonly needs_migration: boolean
  /** True while the database is refused because it was restored: the same start succeeds after `ostiary database restored`. */
  readonly is_restored: boolean

  constructor(
    message: string,
    { cause, needs_migration = false }: { cause: unknown; needs_migration?: boolean },
  ) {
    super(message, { cause })
    this.name = 'StorageError'
    this.needs_migration = needs_migration
    this.is_restored = isRestored(cause)
  }
}

/** A subject for `storageError`. */
export const DATABASE_SUBJECT = 'The database that DATABASE_URL names'

/** @param subject Names the storage, as the subject of the sentence. */
export function storageError(subject: string, cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause
  if (isFolderFault(cause)) return new StorageError(cause.message, { cause })
  if (cause instanceof SchemaError)
    return new StorageError(cause.message, { cause, needs_migration: cause.state === 'older' })
  // An embedded database is no server.
  const advice = (subject === DATABASE_SUBJECT ? databaseAdvice(cause) : null) ?? leftOverAdvice(cause)
  const sentence = `${subject} cannot be used: ${messageOf(cause)}`
  return new StorageError(advice === null ? sentence : `${sentence}. ${advice}`, { cause })
}

/** Of PostgreSQL: a table, a column, a constraint or a function that a step of the schema makes is there already. */
const DUPLICATES: readonly unknown[] = ['42P07', '42701', '42710', '42723']

/** A restore into a database that is not empty leaves the tables that the backup does not know. */
const leftOverAdvice = (cause: unknown): string | null =>
  DUPLICATES.includes((cause as { code?: unknown } | null)?.code)
    ? 'The database has tables of a step that its list of steps, oidc_migrations, does not name: a backup was restored into a database ' +
      'that was not empty, or a restore was interrupted. Restore the backup into an empty database; see "Roll back" in docs/upgrade.md.'
    : null

/**
 * Another process uses the embedded database, or has stopped while a command used it there; or its folder is gone. The message says what
 * to do. The classes are in a package that need not be installed.
 */
export const isFolderFault = (error: unknown): error is Error =>
  error instanceof Error && /^(?:FolderInUse|SharedFolder|DatabaseMissing)Error$/.test(error.name)

/** If Node cannot connect to any address of a host, it throws one AggregateError, whose own message is empty. */
function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(messageOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}

/** A key that the secret of the configuration cannot decrypt. The message says how to go on. */
export const lostSecretError = (
  cause: SealedKeyError,
  config: Pick<HostConfig, 'storage' | 'try_out'>,
): StorageError => new StorageError(`${cause.fault}. ${lostSecretAdvice(cause, config)}`, { cause })

/** What to do about a key that cannot be decrypted. */
export function lostSecretAdvice(
  { kid }: SealedKeyError,
  { storage, try_out }: Pick<HostConfig, 'storage' | 'try_out'>,
): string {
  if (try_out && storage.kind === 'embedded')
    return `Set OIDC_SECRET if it was set when the demo was first started, or put back the ${try_out.file} of that start. Else delete the folder ${dirname(storage.folder)}: the demo starts again without its records.`
  // An argument that begins with a dash would be an option.
  const key = kid.startsWith('-') ? `-- ${kid}` : kid
  return `Set OIDC_SECRET to that secret, or OIDC_SECRET_PREVIOUS while you change it. If it is lost, replace the key: ostiary keys revoke ${key} makes a new one, and ends every token that the old one has signed.`
}
