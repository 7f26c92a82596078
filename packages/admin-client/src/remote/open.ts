/** Opens a realm of a server for the commands. */

import type { AdminConnection } from '../connection/connection.js'
import { remoteConsents, remoteGrants, remoteKeys, remoteSessions, remoteThrottles } from './access.js'
import { remoteAccounts, remoteUsers } from './accounts.js'
import { type RealmApi, realmApi } from './api.js'
import { cleaned } from './clean.js'
import { remoteClients } from './clients.js'
import { ApiRefusal, type CommandErrors, commandError, type RemotePlace } from './errors.js'
import { listed } from './lists.js'
import type { OpenInvitation, RealmOperations } from './realm.js'
import { refuseOptions } from './refused-options.js'

/** The command line that names the server. */
export interface RemoteLine {
  input: { text(option: string): string | undefined; flag(option: string): boolean }
  errors: CommandErrors
  /** Opens a connection with the sign-in of this server. */
  connect(server: string): Promise<AdminConnection>
}

/** Sends a request about the realm; throws `ApiRefusal`. */
export type SendRequest = <Answer>(
  method: string,
  path: readonly string[],
  call?: {
    query?: Readonly<Record<string, string>>
    body?: unknown
    headers?: Readonly<Record<string, string>>
  },
) => Promise<Answer>

/** The realm of a server whose realms have no names in the paths. */
const DEFAULT_REALM = 'default'

/**
 * Runs a command on the realm of the option `--realm`, on the server of `--server`.
 * @throws the errors of the command line
 */
export async function inServerRealm<T>(
  { input, errors, connect }: RemoteLine,
  run: (realm: RealmOperations, send: SendRequest) => Promise<T>,
): Promise<T> {
  refuseOptions(input, errors)
  const server = input.text('server') ?? ''
  const realm = input.text('realm') ?? DEFAULT_REALM
  try {
    const api = realmApi(await connect(server), realm, input.flag('plan'))
    return cleaned(await run(operationsOf(api, errors), api.send))
  } catch (error) {
    throw told(error, { server, realm, errors })
  }
}

const operationsOf = (api: RealmApi, errors: CommandErrors): RealmOperations => ({
  management: {
    clients: remoteClients(api),
    consents: remoteConsents(api),
    grants: remoteGrants(api),
    sessions: remoteSessions(api, errors),
    keys: remoteKeys(api),
  },
  users: remoteUsers(api),
  accounts: remoteAccounts(api),
  throttles: remoteThrottles(api),
  invitations: (page) => listed<OpenInvitation>(api, ['invitations'], page),
  // The server knows its configuration, and refuses what it names.
  entries: { clients: [], users: [] },
  log_addresses: 'truncated',
})

/** The sentence of an expected error. */
function told(error: unknown, place: RemotePlace): unknown {
  if (error instanceof ApiRefusal) return commandError(error, place)
  if (error instanceof Error && error.name === 'LoginError') return place.errors.failure(error.message)
  return error
}
