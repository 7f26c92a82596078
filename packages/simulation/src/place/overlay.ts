/** The storage of one simulation: it reads the real stores, and keeps what is written in a memory of its own. */

import type {
  Client,
  ClientDocumentStore,
  ClientStore,
  ConsentStore,
  KeyStore,
  PendingStore,
  RealmStorage,
} from '@ostiary/core'

/** What is read of the real stores. No write is among them. */
export interface ReadStores {
  clients: Pick<ClientStore, 'find' | 'list'>
  consents: Pick<ConsentStore, 'list'>
  pending: Pick<PendingStore, 'find'>
  keys: Pick<KeyStore, 'list'>
  client_documents: Pick<ClientDocumentStore, 'find' | 'list'>
}

/** What a simulation has in the place of stored records. */
export interface OverlayOptions {
  /** Epoch seconds. */
  now(): number
  /** The client as the simulation knows it. */
  clientAs(client: Client): Client
  /** Null: those of the realm, with which nothing is signed. */
  keys: KeyStore | null
}

/** @param own A memory that no other simulation uses. */
export const overlay = (
  real: ReadStores,
  own: RealmStorage,
  { now, clientAs, keys }: OverlayOptions,
): RealmStorage => ({
  // Sessions and grants are made here. Counters begin at zero, and nothing is counted.
  ...own,
  clients: clientsOver(real.clients, clientAs),
  consents: consentsOver(real.consents, own.consents),
  pending: pendingOver(real.pending, own.pending),
  keys: keys ?? keysOver(real.keys, own.keys),
  client_documents: documentsOver(real.client_documents, own.client_documents, now),
  purge: unchanged,
})

/** No request of a simulation calls it. */
const unchanged = async (): Promise<never> => {
  throw new Error('A simulation does not change this')
}

function clientsOver(
  { find: read, list }: ReadStores['clients'],
  clientAs: OverlayOptions['clientAs'],
): ClientStore {
  const find = async (client_id: string): Promise<Client | null> => {
    const client = await read(client_id)
    return client && clientAs(client)
  }
  return {
    find,
    list,
    async keep(client_id) {
      const client = await find(client_id)
      return client !== null && client.revoked_at === null
    },
    create: unchanged,
    update: unchanged,
    setSecret: unchanged,
    revoke: unchanged,
    delete: unchanged,
    deleted: unchanged,
    forget: unchanged,
  }
}

/** The rows of a user are copied when they are first asked for: a change of one is seen by what follows. */
function consentsOver(real: ReadStores['consents'], own: ConsentStore): ConsentStore {
  const copies = new Map<string, Promise<void>>()
  async function copyRows(sub: string): Promise<void> {
    for (const { client_id, resource, scopes, updated_at, revoked_at } of await real.list(sub)) {
      await own.merge({ sub, client_id, approved: [{ resource, scopes }] }, updated_at)
      if (revoked_at !== null) await own.revoke({ sub, client_id, resource }, revoked_at)
    }
  }
  async function copied(sub: string): Promise<ConsentStore> {
    const copy = copies.get(sub) ?? copyRows(sub)
    copies.set(sub, copy)
    await copy
    return own
  }
  return {
    find: async (sub, ...asked) => (await copied(sub)).find(sub, ...asked),
    list: async (sub) => (await copied(sub)).list(sub),
    merge: async (approval, now) => (await copied(approval.sub)).merge(approval, now),
    revoke: async (selection, now) => (await copied(selection.sub)).revoke(selection, now),
    delete: async (selection) => (await copied(selection.sub)).delete(selection),
    deleteOfClient: unchanged,
  }
}

/** A request that was pushed is read. That it is answered counts nowhere: a simulation answers one. */
function pendingOver(real: ReadStores['pending'], own: PendingStore): PendingStore {
  const find: PendingStore['find'] = async (pending_hash) =>
    (await own.find(pending_hash)) ?? real.find(pending_hash)
  return {
    find,
    put: async (pending) => (await find(pending.pending_hash)) === null && own.put(pending),
    take: async (pending_hash) => (await own.take(pending_hash)) ?? real.find(pending_hash),
  }
}

/** The realm's keys verify an `id_token_hint`. One that it lacks is made here. */
function keysOver(real: ReadStores['keys'], own: KeyStore): KeyStore {
  const list = async () => [...(await real.list()), ...(await own.list())]
  return {
    list,
    async ensure(first) {
      const known = await list()
      if (known.some(({ alg }) => alg === first.alg)) return known
      await own.add(first)
      return list()
    },
    add: unchanged,
    reseal: unchanged,
    drop: unchanged,
  }
}

/** A stored document counts in any case: its host is not asked. The clock stands still. */
function documentsOver(
  real: ReadStores['client_documents'],
  own: ClientDocumentStore,
  now: () => number,
): ClientDocumentStore {
  return {
    async find(client_id) {
      const stored = await own.find(client_id)
      if (stored !== null) return stored
      const row = await real.find(client_id)
      return row && { ...row, fresh_until: Math.max(row.fresh_until, now() + 1) }
    },
    put: own.put,
    list: real.list,
    delete: unchanged,
  }
}
