/** Clients that reach the admin API, and members of a client with which it would: only an owner changes them. */

import { isInRealm, roleBeyond } from './climbing.js'
import type { RoleRow } from './role-store.js'

/** The clients of the command line and of the console. */
const BUILT_IN: readonly string[] = ['ostiary-cli', 'ostiary-console']

/** What decides of a client whether it is protected. */
interface ClientEntries {
  client_id: string
  default_scopes?: readonly string[] | null | undefined
  optional_scopes?: readonly string[] | null | undefined
  default_resource?: string | null | undefined
}

/** Where a client is changed, and by whom. */
export interface ClientPlace {
  realm: string
  admin_realm: string
  /** The key and the URI of the admin resource. */
  resource: readonly string[]
  /** Of the caller. */
  roles: readonly RoleRow[]
  /** Of the client, in the admin realm: also where no such client is stored. */
  held: readonly RoleRow[]
}

/** Only an owner may give a client more of these. */
const OWNER_MEMBERS = ['allowed_exchange_audiences', 'trusted'] as const

/** A client as it is stored, or as it will be. */
export interface GuardedClient extends ClientEntries {
  allowed_exchange_audiences?: readonly string[] | null | undefined
  trusted?: boolean | null | undefined
}

/** Why a change is refused, the role that it needs, and the member that it is about; null for the client as a whole. */
export interface ClientFault {
  member: string | null
  message: string
  needs: Pick<RoleRow, 'role' | 'realms'>
}

/**
 * Why the caller may not make this change; null when the caller may.
 * @param change `before` is null for a client that is created, `after` for one that is deleted, revoked, or gets a new secret.
 */
export function clientFault(
  place: ClientPlace,
  { before, after }: { before: GuardedClient | null; after: GuardedClient | null },
): ClientFault | null {
  const beyond = roleBeyond(place.roles, place.held)
  if (beyond !== null) return fault('The client has a role beyond your own', beyond)
  if (isInRealm(place.roles, 'owner', place.realm)) return null
  const client_id = (before ?? after)?.client_id ?? ''
  const owner = { role: 'owner', realms: [place.realm] } as const
  if (place.held.length > 0) return fault('The client has a role: only an owner changes it', owner)
  if (isBuiltIn(place, client_id) || (before !== null && namesResource(place, before)))
    return fault('The client may request the admin API: only an owner changes it', owner)
  const member = after && ownerMember(place, before, after)
  return member ? fault(`Only an owner sets ${member} to this`, owner, member) : null
}

const fault = (message: string, needs: ClientFault['needs'], member: string | null = null): ClientFault => ({
  member,
  message,
  needs,
})

const isBuiltIn = ({ realm, admin_realm }: ClientPlace, client_id: string): boolean =>
  realm === admin_realm && BUILT_IN.includes(client_id)

/** Whether an entry of the client, or its default resource, is the admin resource. */
function namesResource(place: ClientPlace, client: ClientEntries): boolean {
  return ENTRY_MEMBERS.some((member) => namedIn(place, client, member))
}

const ENTRY_MEMBERS = ['default_scopes', 'optional_scopes', 'default_resource'] as const

function namedIn(
  { realm, admin_realm, resource }: ClientPlace,
  client: ClientEntries,
  member: (typeof ENTRY_MEMBERS)[number],
): boolean {
  if (realm !== admin_realm) return false
  const values = [client[member] ?? []].flat()
  return values.some((entry) => resource.some((name) => isNamed(entry, name)))
}

/** As core reads an entry `<resource> <scope>`. */
function isNamed(entry: string, name: string): boolean {
  const space = entry.lastIndexOf(' ')
  return (space < 0 ? entry : entry.slice(0, space)).trim() === name
}

function ownerMember(
  place: ClientPlace,
  before: GuardedClient | null,
  after: GuardedClient,
): string | undefined {
  const entries = ENTRY_MEMBERS.find((member) => namedIn(place, after, member))
  if (entries !== undefined) return entries
  return OWNER_MEMBERS.find((member) => memberValue(after, member) !== memberValue(before, member))
}

/** An empty list and false are as good as absent. */
function memberValue(client: GuardedClient | null, member: (typeof OWNER_MEMBERS)[number]): string {
  const value = client?.[member]
  const is_empty = value === false || (Array.isArray(value) && value.length === 0)
  return JSON.stringify(is_empty ? null : (value ?? null))
}
