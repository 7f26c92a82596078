/** Consents, grants, sessions, keys and counters of a realm, over the admin API. */

import type { Consent, Grant, KeyInfo, Session } from '@ostiary/core'
import { orNull, type RealmApi } from './api.js'
import { ApiRefusal, type CommandErrors, faultsOf } from './errors.js'
import type { ManagedRecords, ThrottleOperations } from './realm.js'

interface All<Item> {
  items: Item[]
}

/** What selects grants and consents of a user. */
const selected = (selection: { client_id?: string | undefined; resource?: string | null | undefined }) => {
  const { client_id, resource } = selection
  return { ...(client_id !== undefined && { client_id }), ...(resource != null && { resource }) }
}

export function remoteConsents({ send }: RealmApi): ManagedRecords['consents'] {
  return {
    list: async (sub) => (await send<All<Consent>>('GET', ['users', sub, 'consents'])).items,
    async revoke({ sub, client_id, resource }) {
      const call = { query: selected({ resource }) }
      const path = ['users', sub, 'consents', client_id]
      return (await send<{ revoked: number }>('DELETE', path, call)).revoked
    },
  }
}

export function remoteGrants({ send }: RealmApi): ManagedRecords['grants'] {
  return {
    list: async (sub) => (await send<All<Grant>>('GET', ['users', sub, 'grants'])).items,
    async revoke({ sub, ...selection }) {
      const call = { query: selected(selection) }
      return (await send<{ revoked: number }>('DELETE', ['users', sub, 'grants'], call)).revoked
    },
  }
}

export function remoteSessions({ send }: RealmApi, errors: CommandErrors): ManagedRecords['sessions'] {
  /** The user of each session that was listed, whom the API needs to end one. */
  const owners = new Map<string, string>()
  return {
    async list(sub) {
      const { items } = await send<All<Session>>('GET', ['users', sub, 'sessions'])
      for (const { sid } of items) owners.set(sid, sub)
      return items
    },
    async end(sid) {
      const sub = owners.get(sid)
      if (sub === undefined)
        throw errors.usageError('--sid: with --server, name the user of the session too, with --user')
      return orNull(send<{ grants: number }>('DELETE', ['users', sub, 'sessions', sid]))
    },
    endAll: (sub) => send('DELETE', ['users', sub, 'sessions']),
  }
}

export function remoteKeys({ send }: RealmApi): ManagedRecords['keys'] {
  return {
    list: async () => (await send<All<KeyInfo>>('GET', ['keys'])).items,
    // The server makes the first key of each algorithm before it lists them.
    ready: async () => {},
    async rotate(options = {}) {
      const { alg, publish_before } = options
      const body = { ...(alg && { alg }), ...(publish_before !== undefined && { publish_before }) }
      try {
        return await send<KeyInfo>('POST', ['keys'], { body })
      } catch (error) {
        const [fault] = error instanceof ApiRefusal && error.status === 400 ? faultsOf(error) : []
        throw fault === undefined ? error : new RangeError(fault.fault)
      }
    },
    revoke: async (kid) => (await orNull(send('DELETE', ['keys', kid]))) !== null,
  }
}

export function remoteThrottles({ send }: RealmApi): ThrottleOperations {
  return {
    list: async (selection) =>
      (
        await send<All<Awaited<ReturnType<ThrottleOperations['list']>>[number]>>('GET', ['throttles'], {
          query: { ...selection },
        })
      ).items,
    reset: async (selection) =>
      (await send<{ reset: number }>('DELETE', ['throttles'], { query: { ...selection } })).reset,
  }
}
