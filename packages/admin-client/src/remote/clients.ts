/** The clients of a realm, over the admin API. */

import type { Client, ClientDeletionReport, ClientDocument, NewClient } from '@ostiary/core'
import { orNull, type RealmApi } from './api.js'
import { ApiRefusal } from './errors.js'
import { newId } from './ids.js'
import { listed } from './lists.js'
import type { ManagedRecords } from './realm.js'

/** A client as the API shows it. */
type ShownClient = Omit<Client, 'client_secret_hash'> & { client_secret?: string }

/** In place of a hash, which the API does not show. */
const HASH = 'not shown'

function recordOf({ client_secret: _, ...shown }: ShownClient): Client {
  const { token_endpoint_auth_method: method } = shown
  const has_secret = method !== 'none' && method !== 'private_key_jwt'
  return { ...shown, client_secret_hash: has_secret ? HASH : null }
}

const documentOf = (client_id: string): string[] => ['clients', client_id, 'document']

const credentialsOf = (shown: ShownClient) => ({
  client: recordOf(shown),
  client_secret: shown.client_secret ?? null,
})

/** The names of the fields in which two records differ, as core names them. */
function changedFields(one: Client, other: Client): string[] {
  const fields = Object.keys(one) as (keyof Client)[]
  const differing = fields.filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]))
  return differing.map((field) => (field === 'client_secret_hash' ? 'client_secret' : field))
}

async function create(api: RealmApi, { client_id = newId(), ...described }: NewClient) {
  const call = { body: described, headers: { 'if-none-match': '*' } }
  try {
    return credentialsOf(await api.send<ShownClient>('PUT', ['clients', client_id], call))
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 412) throw error
    const taken = { pointer: '/client_id', message: `${JSON.stringify(client_id)} is taken` }
    throw new ApiRefusal({ status: 409, problem: { errors: [taken] } }, error.path)
  }
}

export function remoteClients(api: RealmApi): ManagedRecords['clients'] {
  const find = async (client_id: string): Promise<Client | null> => {
    const shown = await api.find<ShownClient>(['clients', client_id])
    return shown && recordOf(shown)
  }
  return {
    find,
    list: async (page) => (await listed<ShownClient>(api, ['clients'], page)).map(recordOf),
    create: (input) => create(api, input),
    async update(client_id, changes) {
      const stored = await find(client_id)
      if (stored === null) return null
      const body = typeof changes === 'function' ? changes(stored) : changes
      const updated = credentialsOf(await api.change<ShownClient>('PATCH', ['clients', client_id], { body }))
      return { ...updated, changed: changedFields(stored, updated.client) }
    },
    async revoke(client_id) {
      const stored = await find(client_id)
      if (stored === null || stored.revoked_at !== null) return false
      await api.send('POST', ['clients', client_id, 'revoke'])
      return true
    },
    rotateSecret: (client_id) => orNull(api.send('POST', ['clients', client_id, 'secret'])),
    documents: {
      list: (page) => listed<ClientDocument>(api, ['client-documents'], page),
      find: (client_id) => api.find<ClientDocument>(documentOf(client_id)),
      forget: async (client_id) => (await orNull(api.send('DELETE', documentOf(client_id)))) !== null,
    },
    delete: (client_id) => orNull(api.change<ClientDeletionReport>('DELETE', ['clients', client_id])),
  }
}
