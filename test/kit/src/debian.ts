/** Packages of Debian that tests use. */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Installs packages with apt-get, as root on Debian.
 * @param purpose What needs them, for the message.
 * @returns False where it cannot.
 */
export function installDebian(packages: string[], purpose: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version') || !succeeds('apt-get', '--version'))
    return false
  console.error(`Installing ${packages.join(', ')} with apt-get for ${purpose} ...`)
  // Without new lists, the known ones may be sufficient.
  aptGet('update')
  return aptGet('-y', '--no-install-recommends', 'install', ...packages)
}

/**
 * Another test process may be installing too: its end is waited for. `update` itself fails at once then, so that the processes
 * take turns by a lock of their own. A program that is not ours holds apt's.
 */
const aptGet = (...args: string[]): boolean =>
  succeeds('flock', LOCK_FILE, 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=120', ...args)
const LOCK_FILE = join(tmpdir(), 'ostiary-apt-get.lock')

/** Runs a program to its end, without its output. */
export function succeeds(command: string, ...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, args, { stdio: 'ignore', timeout: 300_000, env }).status === 0
}
