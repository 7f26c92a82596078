/** The roles of a server, over its admin API. What it answers is checked before it is shown. */

import { holderOf, idsOf, type RoleRow } from '@ostiary/admin/roles'
import { ApiRefusal, orNull, type RealmApi, type RealmOperations } from '@ostiary/admin-client/remote'
import type { AdminInput, AdminResult, AdminTools, ChangeResult } from './command-types.js'
import { grant, list, type Roles, revoke } from './runs.js'

interface Remote {
  realm: RealmOperations
  api: RealmApi
  tools: AdminTools
  input: AdminInput
}

/** @throws Errors of the command line. */
export const read = ({ realm, api, tools }: Remote): Promise<AdminResult> => list(rolesOf(realm, api), tools)

const CHANGES = { 'admin roles grant': grant, 'admin roles revoke': revoke }

/** @throws Errors of the command line. */
export const change = (
  name: keyof typeof CHANGES,
  { realm, api, tools, input }: Remote,
): Promise<ChangeResult> => CHANGES[name](rolesOf(realm, api), tools, input)

function rolesOf({ users, management }: RealmOperations, api: RealmApi): Roles {
  return {
    users,
    findClient: (client_id) => management.clients.find(client_id),
    async list() {
      const { items } = await api.send<{ items?: unknown }>('GET', ['roles'])
      if (!Array.isArray(items)) throw notTheApi()
      return items.map(rowOf)
    },
    async grant({ realms, ...row }) {
      const body = { realms }
      const answer = await api.send<Record<string, unknown>>('PUT', pathOf(row), { body })
      const { changed, ended_links } = answer
      if (typeof changed !== 'boolean' || typeof ended_links !== 'number') throw notTheApi()
      return { changed, ended_links }
    },
    async revoke(row) {
      const revoked = api.send('DELETE', pathOf(row)).then(() => true)
      return (await orNull(revoked)) === true
    },
  }
}

function pathOf({ holder, role }: Pick<RoleRow, 'holder' | 'role'>): string[] {
  const { sub, client_id } = idsOf(holder)
  return sub === null ? ['roles', 'clients', client_id ?? '', role] : ['roles', 'users', sub, role]
}

/** Another server, or a proxy, may answer in its place. */
const notTheApi = () => new ApiRefusal({ status: 200, problem: null }, ['roles'])

const isText = (value: unknown): value is string => typeof value === 'string'

/** @throws ApiRefusal */
function rowOf(shown: unknown): RoleRow {
  const { sub, client_id, role, realms } = (shown ?? {}) as Record<string, unknown>
  if (!isText(role) || !Array.isArray(realms) || !realms.every(isText)) throw notTheApi()
  const named = { role: role as RoleRow['role'], realms }
  if (isText(sub)) return { holder: holderOf({ sub }), ...named }
  if (isText(client_id)) return { holder: holderOf({ client_id }), ...named }
  throw notTheApi()
}
