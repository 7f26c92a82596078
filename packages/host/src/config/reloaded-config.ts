/** The configuration of a server that runs already, read again. */

import { isDeepStrictEqual } from 'node:util'
import { ConfigError } from '@ostiary/core'
import type { Environment } from './environment.js'
import type { HostConfig } from './host-config.js'
import { readConfig } from './read-config.js'

/** What a server uses from its start to its end: sockets, processes, databases, and what other servers must share. */
const FIXED_KEYS = [
  'port',
  'host',
  'secret',
  'previous_secret',
  'issuer',
  'trusted_proxies',
  'server',
  'admin_listen',
  'storage',
] as const satisfies readonly (keyof HostConfig)[]

/**
 * Reads the configuration again.
 * @param running The configuration that the server uses now.
 * @throws ConfigError with every fault, also for a changed key that takes effect at a start only.
 */
export async function readReloadedConfig(
  running: HostConfig,
  { env, cwd }: { env: Environment; cwd: string },
): Promise<HostConfig> {
  if (running.try_out)
    throw new ConfigError({
      path: '',
      message: 'try-out mode has no configuration: write ostiary.config.json, and start the server again',
    })
  const config = await readConfig(env, cwd)
  const changed = FIXED_KEYS.filter((key) => !isDeepStrictEqual(config[key], running[key]))
  if (changed.length > 0)
    throw new ConfigError(
      changed.map((path) => ({
        path: path === 'admin_listen' ? 'admin.listen' : path,
        message: 'a reload cannot change this key: restart the server, or undo the change',
      })),
    )
  return config
}
