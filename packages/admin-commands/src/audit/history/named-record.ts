/** The record that a command line names. */

import type { AuditInput } from '../command-types.js'
import type { RecordsPlace } from '../place.js'
import type { RecordSource } from './record-at.js'

/** @throws Errors of the command line. */
export async function namedRecord(place: RecordsPlace, input: AuditInput): Promise<RecordSource> {
  const { realm, store, errors, users } = place
  const [client_id, username, sub] = ['client', 'user', 'sub'].map((option) => input.text(option))
  if ([client_id, username, sub].filter((name) => name !== undefined).length !== 1)
    throw errors.usageError('name one record: --client <client_id>, --user <username> or --sub <sub>')
  if (client_id !== undefined)
    return { realm, store, kind: 'client', id: client_id, now: await foundClient(place, client_id) }
  if (username === undefined)
    return { realm, store, kind: 'user', id: sub ?? '', now: await users.find(sub ?? '') }
  const key = place.identity.usernameKey(username)
  const user = key === null ? null : await users.findByUsername(key)
  if (user) return { realm, store, kind: 'user', id: user.sub, now: user }
  throw errors.notFound(`There is no user ${JSON.stringify(username)} now; name a deleted one by --sub <sub>`)
}

async function foundClient({ management, errors }: RecordsPlace, client_id: string) {
  const client = await management.clients.find(client_id)
  if (client?.origin !== 'metadata_document') return client
  throw errors.failure(`${client_id} describes itself in a document, whose changes have no rows`)
}
