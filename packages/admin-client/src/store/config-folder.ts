/** Where the settings of a user are. */

import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Variables of the process. An empty one counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The folder of this program: `~/.config/ostiary`, as the XDG Base Directory Specification says, and `%APPDATA%\ostiary` on Windows. */
export function configFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const { HOME, APPDATA, XDG_CONFIG_HOME = '' } = env
  const home = HOME || homedir()
  if (platform === 'win32') return join(APPDATA || join(home, 'AppData', 'Roaming'), 'ostiary')
  // By the specification, a relative path is ignored.
  return join(isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(home, '.config'), 'ostiary')
}
