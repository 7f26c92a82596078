/** The error output of a failed command: a sentence for a known fault, a stack for an unknown one. */

import { ConfigError, formatConfigFault } from '@ostiary/core'
import { StorageError } from '../storage/storage-error.js'

/** What a command prints when it fails with this error: whole lines, for standard error. */
export function failureText(error: unknown): string {
  if (error instanceof ConfigError) {
    const lines = error.faults.map((fault) => `  ${formatConfigFault(fault)}\n`)
    return `ostiary: the configuration has ${lines.length} fault${lines.length === 1 ? '' : 's'}\n${lines.join('')}`
  }
  if (error instanceof StorageError)
    return `ostiary: ${error.message}\n${error.needs_migration ? MIGRATION_HINT : ''}`
  const { code, port, address } = error as { code?: string; port?: number; address?: string }
  if (code === 'EADDRINUSE')
    return `ostiary: port ${port} of ${address} is in use; stop what runs there, or set PORT to another one\n`
  if (code === 'EACCES' && port !== undefined)
    return `ostiary: port ${port} is reserved for the administrator; set PORT to 1024 or more\n`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `ostiary: HOST is not an address of this machine (${code})\n`
  return `ostiary: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`
}

const MIGRATION_HINT = '  `ostiary migrate` runs the migrations, `ostiary migrate --plan` shows them.\n'
