/** The roles of a server, over its admin API. What it answers is checked before it is shown. */

import { holderOf, idsOf, type RoleRow } from '@ostiary/admin/roles'
import type { RealmOperations, SendRequest } from '@ostiary/admin-client/remote'
import { notTheApi, orNull } from '../answers.js'
import type { AdminInput, AdminResult, AdminTools, ChangeResult } from './command-types.js'
import { grant, list, type Roles, revoke } from './runs.js'

interface Remote {
  realm: RealmOperations
  send: SendRequest
  tools: AdminTools
  input: AdminInput
}

/** @throws Errors of the command line. */
export const read = (remote: Remote): Promise<AdminResult> => list(rolesOf(remote), remote.tools)

const CHANGES = { 'admin roles grant': grant, 'admin roles revoke': revoke }

/** @throws Errors of the command line. */
export const change = (name: keyof typeof CHANGES, remote: Remote): Promise<ChangeResult> =>
  CHANGES[name](rolesOf(remote), remote.tools, remote.input)

function rolesOf({ realm, send, tools }: Remote): Roles {
  const { users, management } = realm
  return {
    users,
    findClient: (client_id) => management.clients.find(client_id),
    async list() {
      const { items } = await send<{ items?: unknown }>('GET', ['roles'])
      if (!Array.isArray(items)) throw notTheApi(tools, 'roles')
      return items.map((row) => rowOf(row, tools))
    },
    async grant({ realms, ...row }) {
      const body = { realms }
      const answer = await send<Record<string, unknown>>('PUT', pathOf(row), { body })
      const { changed, ended_links } = answer
      if (typeof changed !== 'boolean' || typeof ended_links !== 'number') throw notTheApi(tools, 'roles')
      return { changed, ended_links }
    },
    async revoke(row) {
      const revoked = send('DELETE', pathOf(row)).then(() => true)
      return (await orNull(revoked)) === true
    },
  }
}

function pathOf({ holder, role }: Pick<RoleRow, 'holder' | 'role'>): string[] {
  const { sub, client_id } = idsOf(holder)
  return sub === null ? ['roles', 'clients', client_id ?? '', role] : ['roles', 'users', sub, role]
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** @throws `failure` of the command line. */
function rowOf(shown: unknown, tools: AdminTools): RoleRow {
  const { sub, client_id, role, realms } = (shown ?? {}) as Record<string, unknown>
  if (!isText(role) || !Array.isArray(realms) || !realms.every(isText)) throw notTheApi(tools, 'roles')
  const named = { role: role as RoleRow['role'], realms }
  if (isText(sub)) return { holder: holderOf({ sub }), ...named }
  if (isText(client_id)) return { holder: holderOf({ client_id }), ...named }
  throw notTheApi(tools, 'roles')
}
