/** The error output of a failed command: a sentence for a known fault, a stack for an unknown one. */

import { ConfigError, formatConfigFault } from '@ostiary/core'
import { PasswordModuleError } from '@ostiary/identity'
import { ListenError, type ListenSettings, SERVER_SETTINGS } from '../server/listen-error.js'
import { isFolderFault, StorageError } from '../storage/storage-error.js'
import { PortTakenError } from './port-taken.js'

/** What a command prints when it fails with this error: whole lines, for standard error. */
export function failureText(error: unknown): string {
  if (error instanceof ConfigError) {
    const lines = error.faults.map((fault) => `  ${formatConfigFault(fault)}\n`)
    return `ostiary: the configuration has ${lines.length} fault${lines.length === 1 ? '' : 's'}\n${lines.join('')}`
  }
  if (error instanceof StorageError)
    return `ostiary: ${error.message}\n${error.needs_migration ? MIGRATION_HINT : ''}`
  if (error instanceof PasswordModuleError || error instanceof PortTakenError || isFolderFault(error))
    return `ostiary: ${error.message}\n`
  const text =
    error instanceof ListenError
      ? listenText(error.cause, error.settings)
      : listenText(error, SERVER_SETTINGS)
  if (text !== null) return `ostiary: ${text}\n`
  return `ostiary: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`
}

const MIGRATION_HINT = '  `ostiary migrate` runs the migrations, `ostiary migrate --plan` shows them.\n'

/** What to do about an error of a socket; null for any other error. */
function listenText(error: unknown, settings: ListenSettings): string | null {
  const {
    code,
    port,
    hostname,
    address = hostname,
  } = error as {
    code?: string
    port?: number
    address?: string
    hostname?: string
  }
  if (code === 'EADDRINUSE')
    return `port ${port} of ${address} is in use; stop what runs there, or set ${settings.port} to another one`
  if (code === 'EACCES' && port !== undefined)
    return `port ${port} is reserved for the administrator; set ${settings.port} to 1024 or more`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${settings.host} is ${address}, which is not an address of this machine (${code})`
  return null
}
