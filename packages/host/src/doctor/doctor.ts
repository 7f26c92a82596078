/** Checks a server, before it is started or while it runs. Changes nothing. */

import { ConfigError, formatConfigFault } from '@ostiary/core'
import type { Environment } from '../config/environment.js'
import { usesPasswords } from '../config/has-passwords.js'
import type { HostConfig } from '../config/host-config.js'
import { readConfig } from '../config/read-config.js'
import { checkConfiguration } from './configuration.js'
import { checkDatabase } from './database.js'
import { checkConfiguredHosts } from './document-hosts.js'
import type { Finding } from './finding.js'
import { checkIssuer } from './issuer.js'
import { checkMcpClients } from './mcp-clients.js'
import { checkPasswords } from './passwords.js'
import { checkOtherPorts, checkPort } from './port.js'
import { settingsOfRealms } from './realm-settings.js'
import { checkRedis } from './redis.js'
import { checkUpstreams } from './upstreams.js'

/** @param offline Send no request to the issuer, nor to hosts of clients, to other providers and mail servers. */
export async function doctor(
  env: Environment,
  { cwd, offline }: { cwd: string; offline: boolean },
): Promise<Finding[]> {
  const config = await readConfig(env, cwd).catch((error: unknown) => {
    if (error instanceof ConfigError) return error
    throw error
  })
  if (config instanceof ConfigError)
    return config.faults.map((configFault, index, { length }) => ({
      check: 'configuration',
      status: 'fault',
      message: formatConfigFault(configFault),
      ...(index === length - 1 && { advice: 'Correct it, and run doctor again: nothing else was checked.' }),
    }))
  const { storage } = config
  const [realms, port, other_ports, passwords, issuer, hosts, upstreams, mail, database, redis] =
    await Promise.all([
      settingsOfRealms(config),
      checkPort(config),
      checkOtherPorts(config),
      usesPasswords(config) ? checkPasswords() : [],
      offline ? [] : checkIssuer(config),
      offline ? [] : checkConfiguredHosts(config),
      offline ? [] : checkUpstreams(config),
      offline ? [] : checkMailServers(config),
      checkDatabase(config, { offline }),
      'redis_url' in storage ? checkRedis(storage) : [],
    ])
  const configuration = [...checkConfiguration(config), ...checkMcpClients(realms)]
  return [
    ...configuration,
    port,
    ...other_ports,
    ...[passwords].flat(),
    ...issuer,
    ...hosts,
    ...upstreams,
    ...mail,
    ...database,
    ...redis,
  ]
}

async function checkMailServers(config: HostConfig): Promise<Finding[]> {
  const { checkMail } = await import('../mail/index.js')
  return (await checkMail(config)).map((finding) => ({ check: 'mail', ...finding }))
}
