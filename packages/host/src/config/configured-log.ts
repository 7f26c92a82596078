import { redisPasswords } from '@ostiary/storage-redis/address'
import { createLog, type Log } from '../log/log.js'
import type { HostConfig } from './host-config.js'
import type { StorageChoice } from './storage-choice.js'

/**
 * A log that never shows the secrets of the configuration.
 * @param write Takes one line, without the line break.
 */
export function configuredLog(config: HostConfig, write: (line: string) => void): Log {
  const entries = Object.values(config.realms)
  const secrets = [
    config.secret,
    config.previous_secret ?? '',
    ...storageSecrets(config.storage),
    ...(config.audit_sinks ?? []).flatMap(({ secret = '' }) => secret.split(' ')),
    ...entries.flatMap(({ clients }) => clients.map(({ client_secret }) => client_secret ?? '')),
    ...entries.flatMap(({ users }) => users.map(({ user }) => user.password ?? '')),
    ...entries.flatMap(({ mail }) => (mail?.smtp_url ? secretsOfUrl(mail.smtp_url) : [])),
  ]
  return createLog({ write, secrets })
}

/** The error message of a driver may contain a URL, or the password in it. */
function storageSecrets(choice: StorageChoice): string[] {
  if (choice.kind === 'embedded' || choice.kind === 'memory') return []
  const secrets = secretsOfUrl(choice.database_url)
  if (!('redis_url' in choice)) return secrets
  return [...secrets, ...secretsOfUrl(choice.redis_url), ...redisPasswords(choice.redis_url)]
}

function secretsOfUrl(url: string): string[] {
  const password = /^[^:]*:\/\/[^:@/]*:([^@]*)@/.exec(url)?.[1] ?? ''
  return [url, password, unescaped(password)]
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
