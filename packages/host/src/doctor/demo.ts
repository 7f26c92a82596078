import { type Executor, postgresStorage, postgresUsers } from '@ostiary/storage-postgres'
import { DEFAULT_REALM } from '../config/entries.js'
import type { HostConfig } from '../config/host-config.js'
import { DEMO } from '../config/try-out.js'
import { type Finding, fault } from './finding.js'

/** Looks for the records of try-out mode in the database of a server that is not in try-out mode. */
export async function checkDemo({ try_out, realms }: HostConfig, executor: Executor): Promise<Finding[]> {
  if (try_out !== null) return []
  const { clients = [], users = [] } = realms[DEFAULT_REALM] ?? {}
  const client = clients.some(({ metadata }) => metadata.client_id === DEMO.client_id)
    ? null
    : await postgresStorage(executor)(DEFAULT_REALM).clients.find(DEMO.client_id)
  const user = users.some(({ user: { username } }) => username === DEMO.username)
    ? null
    : await postgresUsers(executor)(DEFAULT_REALM).findByUsername(DEMO.username)
  return [
    ...(client?.revoked_at === null && client.client_name === DEMO.client_name ? [CLIENT] : []),
    ...(user?.disabled_at === null && user.claims.email === DEMO.email ? [USER] : []),
  ]
}

const CLIENT = fault('database', 'it has the client demo of try-out mode', 'Run ostiary client delete demo.')
const USER = fault(
  'database',
  'it has the user demo of try-out mode, whose password was printed',
  'Run ostiary user delete demo.',
)
