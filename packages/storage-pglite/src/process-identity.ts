/** Identifies a process by more than its number (pid): numbers are reused after a restart, and in other containers. */

import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Names the space in which process numbers are unique: one boot of a system, one container. */
export function processSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** When the process with this number started, as the system writes it; null when there is no such process. */
export function startOf(pid: number): string | null {
  if (process.platform === 'linux') return startOnLinux(pid)
  const { status, stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { encoding: 'utf8' })
  if (typeof stdout === 'string') return status === 0 && stdout.trim() ? stdout.trim() : null
  return exists(pid) ? 'unknown' : null
}

function startOnLinux(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in parentheses, and may itself contain spaces and parentheses.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? null : (rest[18] ?? null)
  } catch {
    return null
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
