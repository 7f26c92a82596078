/** Opens the browser of the user. */

import { spawn } from 'node:child_process'
import type { Environment } from '../store/config-folder.js'

/** The program that opens an address, with its arguments; null where no display is there. */
export function opener(env: Environment, platform: NodeJS.Platform = process.platform): string[] | null {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null
}

/** It does not matter whether it succeeds: the address is on the terminal too. No shell reads the address. */
export function openBrowser(url: URL, env: Environment): void {
  const [program, ...args] = opener(env) ?? []
  if (program === undefined || !/^https?:$/.test(url.protocol)) return
  try {
    const child = spawn(program, [...args, url.href], { stdio: 'ignore', detached: true })
    child.on('error', () => {})
    child.unref()
  } catch {
    // Where no process can be started.
  }
}
