/** The management of a realm's clients, for the application and for an operator. */

import type { RealmContext } from '../realm/context.js'
import { type Client, type ClientDocument, isTombstone } from '../storage/storage.js'
import { type ClientCredentials, createClient, type NewClient, rotateClientSecret } from './create-client.js'
import { type ClientDeletionReport, deleteClient } from './delete-client.js'
import { ensureClient } from './ensure-client.js'
import { revokeClient } from './revoke-client.js'
import {
  type ClientChanges,
  type ClientUpdate,
  type ClientUpdateOptions,
  updateClient,
} from './update-client.js'

/** The clients of one realm. */
export interface ClientManagement {
  /**
   * Stores a new client, by the rules of a configured one. The `client_secret` is available only here; null for a public client, and where the input has the hash.
   * @throws ClientInputError
   */
  create(input: NewClient): Promise<ClientCredentials>
  /**
   * For a program that names its client at each start: creates it, or changes the stored one to this input. An absent field gets its default; a secret stays unless `client_secret` or its hash is another one, and a revoked
   * client stays revoked. `client_secret` is null when the stored one stays.
   * @param options As `ClientUpdateOptions` says.
   * @throws ClientInputError, ClientConflictError
   */
  ensure(input: NewClient & { client_id: string }, options?: ClientUpdateOptions): Promise<ClientCredentials>
  /** Revoked clients included; sorted by `client_id`, beginning after `after`. `limit` is 100 when absent. */
  list(page?: { after?: string; limit?: number }): Promise<Client[]>
  /** Revoked clients included, and clients that users have used whose `client_id` is the URL of their metadata. */
  find(client_id: string): Promise<Client | null>
  /**
   * Changes fields of a client, by the rules of a configured one; null sets a field to its default. Other servers use the
   * new record within `client_cache` seconds. A public client that becomes confidential gets a secret, which is available
   * only here. Null when there is no such client.
   * @param changes Also a function of the stored client.
   * @param options As `ClientUpdateOptions` says.
   * @throws ClientInputError, also for a revoked client; ClientConflictError when another record than `expected` is stored.
   */
  update(
    client_id: string,
    changes: ClientChanges | ((stored: Client) => ClientChanges),
    options?: ClientUpdateOptions,
  ): Promise<ClientUpdate | null>
  /**
   * From now on the client is refused, with the tokens of all users, by other servers within `client_cache` seconds; its grants are
   * revoked, and the consents to it deleted. No new client can have its id before `id_free_at`, a day after its last token has expired.
   * The work grows with the grants and consents of the realm. Null when there is no such client.
   */
  delete(client_id: string): Promise<ClientDeletionReport | null>
  /**
   * From now on the client is refused, by other servers within `client_cache` seconds, with its refresh tokens and tokens of
   * client_credentials. Access tokens of users stay valid until they expire. A client with a metadata document that users have used is stored for that. False when there is none, or it is revoked already.
   */
  revoke(client_id: string): Promise<boolean>
  /**
   * Makes a new secret; the old one is refused from now on. Null when there is no such client.
   * @param options `plan`: nothing is stored.
   * @throws ClientInputError for a public or a revoked client.
   */
  rotateSecret(client_id: string, options?: { plan?: boolean }): Promise<ClientCredentials | null>
  /** The documents of clients whose `client_id` is the URL of their metadata. */
  documents: {
    /** Those of clients that users have used; sorted by `client_id`, beginning after `after`. `limit` is 100 when absent. */
    list(page?: { after?: string; limit?: number }): Promise<ClientDocument[]>
    /** The stored document, also where the realm would not take it any more; null when there is none. */
    find(client_id: string): Promise<ClientDocument | null>
    /**
     * Deletes the stored document, so that every user is asked for consent again. A server with the document in memory uses it while it is fresh. Grants stay: a refresh fetches the document again.
     * False when there is none.
     */
    forget(client_id: string): Promise<boolean>
  }
}

export function clientManagement(c: RealmContext): ClientManagement {
  const { clients, client_documents } = c.storage
  return {
    create: (input) => createClient(c, input),
    ensure: (input, options) => ensureClient(c, input, options),
    list: ({ limit = 100, ...page } = {}) => clients.list({ ...page, limit }),
    async find(client_id) {
      const client = await c.clients.shown(client_id)
      return client !== null && isTombstone(client) ? null : client
    },
    update: (client_id, changes, options) => updateClient(c, client_id, { changes, ...options }),
    delete: (client_id) => deleteClient(c, client_id),
    revoke: (client_id) => revokeClient(c, client_id),
    rotateSecret: (client_id, options) => rotateClientSecret(c, client_id, options),
    documents: {
      list: ({ limit = 100, ...page } = {}) => client_documents.list({ ...page, limit }),
      find: (client_id) => client_documents.find(client_id),
      async forget(client_id) {
        const forgotten = await client_documents.delete(client_id)
        if (forgotten) c.emit({ type: 'client_document.forgotten', client_id })
        return forgotten
      },
    },
  }
}
