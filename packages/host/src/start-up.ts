/** What a server says when it starts: lines for the log, and in try-out mode a text for a person. */

import type { HostConfig } from './config.js'
import { createLog, type Log } from './log.js'
import type { SyncReport } from './sync.js'
import type { TryOut } from './try-out.js'

/** A log that never shows the configuration's secrets. @param write Takes one line, without its end. */
export function configuredLog(config: HostConfig, write: (line: string) => void): Log {
  const entries = Object.values(config.realms)
  const secrets = [
    config.secret,
    ...entries.flatMap(({ clients }) => clients.map(({ client_secret }) => client_secret ?? '')),
    ...entries.flatMap(({ users }) => users.map(({ user }) => user.password ?? '')),
  ]
  return createLog({ write, secrets })
}

const MIN_CLIENT_SECRET_LENGTH = 32

export interface Announcement {
  log: Log
  /** Takes the text for a person. */
  print: (text: string) => void
  /** What the start has changed, by realm id. */
  synced: Record<string, SyncReport>
}

/** Called when the server listens: only now is it worth keeping and showing what try-out mode has generated. */
export async function announce(config: HostConfig, { log, print, synced }: Announcement): Promise<void> {
  const { try_out, issuer, host, port, file } = config
  if (try_out) {
    if (try_out.first_start) await try_out.keep()
    print(tryOutText(issuer, try_out))
  } else {
    log.warn('records are kept in memory only: sessions, consents and tokens are lost at a restart')
  }
  for (const [realm, { revoked, ...counts }] of Object.entries(synced)) {
    log.info('clients and users are as configured', { realm, ...counts })
    for (const client_id of revoked)
      log.warn('a configured client is revoked and stays so', { realm, client_id })
  }
  for (const { clients } of Object.values(config.realms))
    for (const { path, client_secret } of clients)
      if (client_secret !== null && client_secret.length < MIN_CLIENT_SECRET_LENGTH)
        log.warn('this client_secret is short; make it 32 random characters or more', { path })
  log.info('listening', { issuer, host, port, file, storage: 'memory' })
}

function tryOutText(issuer: string, { first_start, username, password, file }: TryOut): string {
  const secret = first_start ? `${password}   (kept in ${file})` : `see ${file}`
  return `
Ostiary runs in try-out mode.

  Open       ${issuer}/demo
  User       ${username}
  Password   ${secret}

This version keeps its records in memory only, until durable embedded storage lands: sessions,
consents and tokens are gone when the server stops. The demo user keeps its password.

For clients and users of your own, write ./ostiary.config.json and set OIDC_SECRET: README.md has
an example, packages/host/README.md every key and variable. PORT and HOST say where to listen.
Ctrl-C stops the server. Its log follows.

`
}
