/** Packages of Debian that tests use. */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Installs packages with apt-get, as root on Debian.
 * @param purpose What needs them, for the message.
 * @returns False where it cannot.
 */
export function installDebian(packages: string[], purpose: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version') || !succeeds('apt-get', '--version'))
    return false
  console.error(`Installing ${packages.join(', ')} with apt-get for ${purpose} ...`)
  return succeeds('apt-get', '-qq', 'update') && succeeds('apt-get', ...INSTALL, ...packages)
}

/** Another test process may be installing too: its end is waited for. */
const INSTALL = ['-qq', '-y', '-o', 'DPkg::Lock::Timeout=120', '--no-install-recommends', 'install']

/** Runs a program to its end, without its output. */
export function succeeds(command: string, ...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, args, { stdio: 'ignore', timeout: 300_000, env }).status === 0
}
