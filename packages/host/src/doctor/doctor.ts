/** Checks a server, before it is started or while it runs. Changes nothing. */

import { ConfigError, formatConfigFault } from '@ostiary/core'
import type { Environment } from '../config/environment.js'
import type { HostConfig } from '../config/host-config.js'
import { readConfig } from '../config/read-config.js'
import { checkDatabase } from './database.js'
import { type Finding, fault, note, ok } from './finding.js'
import { checkIssuer } from './issuer.js'
import { checkPort } from './port.js'
import { checkRedis } from './redis.js'

/** @param offline Send no request to the issuer. */
export async function doctor(
  env: Environment,
  { cwd, offline }: { cwd: string; offline: boolean },
): Promise<Finding[]> {
  const config = await readConfig(env, cwd).catch((error: unknown) => {
    if (error instanceof ConfigError) return error
    throw error
  })
  if (config instanceof ConfigError)
    return config.faults.map((configFault) =>
      fault(
        'configuration',
        formatConfigFault(configFault),
        'Correct it, and run doctor again: nothing else was checked.',
      ),
    )
  const { storage } = config
  const [port, issuer, database, redis] = await Promise.all([
    checkPort(config),
    offline ? [] : checkIssuer(config),
    checkDatabase(config),
    'redis_url' in storage ? checkRedis(storage) : [],
  ])
  return [...configuration(config), port, ...issuer, ...database, ...redis]
}

const MIN_CLIENT_SECRET_LENGTH = 32

function configuration({ file, try_out, realms, issuer, trusted_proxies }: HostConfig): Finding[] {
  const weak = Object.values(realms).flatMap(({ clients }) =>
    clients.filter(({ client_secret }) => (client_secret?.length ?? Infinity) < MIN_CLIENT_SECRET_LENGTH),
  )
  const source = file ?? (try_out ? 'no file: try-out mode' : 'from variables only')
  return [
    ok('configuration', `is valid (${source})`),
    ...weak.map(({ path }) =>
      note('configuration', `${path}: the client_secret is short`, 'Use 32 random characters or more.'),
    ),
    ...(issuer.startsWith('https:') && trusted_proxies.length === 0
      ? [
          note(
            'configuration',
            'trusted_proxies is empty: behind a proxy all users have the address of the proxy, and share its limits',
            'Set it to the addresses of your proxies.',
          ),
        ]
      : []),
  ]
}
