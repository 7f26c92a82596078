/** The start of a server in its log, and in try-out mode as a text on the terminal. */

import { formatConfigFault } from '@ostiary/core'
import type { HostConfig } from '../config/host-config.js'
import type { StorageChoice } from '../config/storage-choice.js'
import type { TryOut } from '../config/try-out.js'
import type { Log } from '../log/log.js'
import { hasOtherPort } from '../server/other-port.js'
import type { SyncReport } from '../storage/sync.js'

const MIN_CLIENT_SECRET_LENGTH = 32
const NO_CONSOLE = 'administrators have no pages: set admin.console to false, or correct the fault'

export interface Announcement {
  log: Log
  /** Called with the text for the terminal. */
  print: (text: string) => void
  /** What the start changed, by realm id. */
  synced: Record<string, SyncReport>
}

/** To be called when the server listens: only then is the generated password of try-out mode shown, so that no failed start hides it. */
export async function announce(config: HostConfig, { log, print, synced }: Announcement): Promise<void> {
  const { try_out, issuer, host, port, file, storage } = config
  if (try_out) {
    print(tryOutText(issuer, try_out, storage))
    // Without this, the next start prints the password again.
    if (try_out.first_start) await try_out.shown().catch(() => {})
  }
  if (storage.kind === 'memory') log.warn('the records are in memory, and are lost when the server stops')
  if (storage.kind === 'embedded')
    log.info('the records are in the embedded database; for more than one process, move them to PostgreSQL', {
      folder: storage.folder,
    })
  logSync(config, { log, synced })
  log.info('listening', { issuer, host, port, file, storage: storage.kind })
}

/** Once for all workers. */
export function warnOfOtherPort({ issuer, port }: Pick<HostConfig, 'issuer' | 'port'>, log: Log): void {
  if (hasOtherPort({ issuer, port }))
    log.warn(
      'the issuer (app.url) has another port than the server listens on (PORT), and every link leads there: set one to the other, unless another program forwards that port',
      { issuer, port },
    )
}

/** What a start or a reload changed, and what of the configuration has no effect. */
export function logSync(
  { realms, admin_console_fault }: HostConfig,
  { log, synced }: Pick<Announcement, 'log' | 'synced'>,
): void {
  if (admin_console_fault) log.info(NO_CONSOLE, { fault: formatConfigFault(admin_console_fault) })
  for (const [realm, { revoked, other_passwords, left_out = [], ...counts }] of Object.entries(synced)) {
    log.info('clients and users are as configured', { realm, ...counts })
    for (const fault of left_out) log.info(NO_CONSOLE, { realm, fault: formatConfigFault(fault) })
    for (const client_id of revoked)
      log.warn('a configured client is revoked, and stays revoked', { realm, client_id })
    for (const path of other_passwords)
      log.warn(
        'the configured password of this user differs from the stored one, which stays; ostiary user set-password changes it',
        { realm, path, username: realms[realm]?.users.find((entry) => entry.path === path)?.user.username },
      )
  }
  for (const { clients } of Object.values(realms))
    for (const { path, client_secret } of clients)
      if (client_secret !== null && client_secret.length < MIN_CLIENT_SECRET_LENGTH)
        log.warn('this client_secret is short; make it 32 random characters or more', { path })
}

function tryOutText(issuer: string, try_out: TryOut, storage: StorageChoice): string {
  const { first_start, username, password, file } = try_out
  const secret = first_start ? `${password}   (kept in ${file})` : `see ${file}`
  return `
Ostiary runs in try-out mode.

  Open       ${issuer}/demo
  User       ${username}
  Password   ${secret}

${recordsText(storage)}

For clients and users of your own, write ./ostiary.config.json and set OIDC_SECRET:
docs/your-own-server.md has an example, and docs/configuration.md every key and variable, in the repository of
Ostiary, which "npm repo @ostiary/server" opens.
PORT and HOST say where to listen.
Ctrl-C stops the server. Its log follows.

`
}

function recordsText(storage: StorageChoice): string {
  if (storage.kind === 'memory') return 'Its records are in memory, and are lost when it stops.'
  if (storage.kind !== 'embedded') return 'Its records are in the database that DATABASE_URL names.'
  return `Its records are in an embedded database, ${storage.folder}.
They survive a restart and a crash of this process, not a power cut. Set DATABASE_URL for more.`
}
