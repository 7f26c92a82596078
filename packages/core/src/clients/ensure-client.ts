/** A client that a program names at each start: created, or changed to what the program says. */

import type { RealmContext } from '../realm/context.js'
import { type Client, isTombstone } from '../storage/storage.js'
import {
  type ClientCredentials,
  type NewClient,
  newClient,
  storeNewClient,
  takenError,
} from './create-client.js'
import {
  ClientConflictError,
  type ClientUpdateOptions,
  changedFields,
  MAX_ATTEMPTS,
} from './update-client.js'

/** @throws ClientInputError, ClientConflictError */
export async function ensureClient(
  c: RealmContext,
  input: NewClient & { client_id: string },
  { expected, plan = false }: ClientUpdateOptions = {},
): Promise<ClientCredentials> {
  const made = await newClient(c, input)
  const { client_id } = made.client
  const has_given_secret = input.client_secret !== undefined || input.client_secret_hash !== undefined
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (!plan && expected === undefined && (await storeNewClient(c, made.client))) return made
    const stored = await c.storage.clients.findStored(client_id)
    if (plan && stored === null) return made
    if (expected !== undefined && (stored === null || changedFields(stored, expected).length > 0)) break
    if (stored === null) continue
    if (isTombstone(stored)) throw await takenError(c, client_id)
    const client = replacing(stored, made.client, has_given_secret)
    const fields = changedFields(stored, client)
    const client_secret = fields.includes('client_secret') ? made.client_secret : null
    if (fields.length === 0 || plan) return { client, client_secret }
    if (await c.storage.clients.update(client, stored)) {
      c.emit({ type: 'client.updated', client_id, fields })
      return { client, client_secret }
    }
  }
  throw new ClientConflictError(client_id)
}

/** The new record with what an operator did to the stored one. A secret that was made for the new one is not taken. */
function replacing(stored: Client, made: Client, has_given_secret: boolean): Client {
  const { client_id_issued_at, revoked_at, not_before } = stored
  const keeps_secret = !has_given_secret && made.client_secret_hash !== null
  const client_secret_hash = (keeps_secret ? stored.client_secret_hash : null) ?? made.client_secret_hash
  return { ...made, client_secret_hash, client_id_issued_at, revoked_at, not_before }
}
