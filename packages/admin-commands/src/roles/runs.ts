/** What the commands do. */

import {
  ALL_REALMS,
  checkedRole,
  endFormerLinks,
  grantRole,
  type Holder,
  holderOf,
  idsOf,
  openRoleStore,
  RoleError,
  type RolePlace,
  type RoleRow,
  revokeRole,
} from '@ostiary/admin/roles'
import type { User } from '@ostiary/identity'
import type { AdminInput, AdminResult, AdminTools, ChangeResult, OpenedRealm } from './command-types.js'

/** By the names of the commands. */
export const RUNS = {
  'admin bootstrap': bootstrap,
  'admin roles list': (opened: OpenedRealm, tools: AdminTools) => list(rolesHere(opened, tools), tools),
  'admin roles grant': (opened: OpenedRealm, tools: AdminTools, input: AdminInput) =>
    grant(rolesHere(opened, tools), tools, input),
  'admin roles revoke': (opened: OpenedRealm, tools: AdminTools, input: AdminInput) =>
    revoke(rolesHere(opened, tools), tools, input),
}

/** The roles of the admin realm: on this machine, or on a server. */
export interface Roles {
  users: Pick<OpenedRealm['users'], 'find' | 'findByUsername'>
  findClient(client_id: string): Promise<object | null>
  list(): Promise<RoleRow[]>
  /** How many links of the user have ended. */
  grant(row: RoleRow): Promise<{ changed: boolean; ended_links: number }>
  /** False when the holder does not have the role. */
  revoke(row: Pick<RoleRow, 'holder' | 'role'>): Promise<boolean>
}

function rolesHere(opened: OpenedRealm, tools: AdminTools): Roles {
  const place = placeOf(opened, tools)
  const { users, tickets, management } = opened
  return {
    users,
    findClient: (client_id) => management.clients.find(client_id),
    list: () => place.store.list(place.realm),
    async grant(row) {
      const changed = await told(tools, () => grantRole(place, row))
      const { sub } = idsOf(row.holder)
      const ended_links = changed && sub !== null ? await endFormerLinks({ ...place, tickets }, sub) : 0
      return { changed, ended_links }
    },
    revoke: (row) => told(tools, () => revokeRole(place, row)),
  }
}

async function bootstrap(opened: OpenedRealm, tools: AdminTools, input: AdminInput): Promise<ChangeResult> {
  const place = placeOf(opened, tools)
  const [username = ''] = input.args
  const { users, tickets, realm, config } = opened
  const { createUser, createRecoveryLink } = tools.identity
  const known = await withName(users, tools, username)
  if ((known?.disabled_at ?? null) !== null)
    throw tools.failure(
      `${printable(username)} is disabled, so a link would not work: ostiary user enable comes first`,
    )
  const user = known ?? (await createUser(users, { username }))
  const { sub, credential_version } = user
  const named = { sub, username: user.username }
  const owner = { holder: holderOf({ sub }), role: 'owner', realms: [ALL_REALMS] } as const
  const invited = await tickets.findOf(sub, 'invite')
  const is_first = known === null || invited?.credential_version === credential_version
  const granted = await told(tools, () => grantRole(place, owner))
  await endFormerLinks({ ...place, tickets }, sub)
  const now = Math.floor(Date.now() / 1000)
  const { url, expires_at } = await createRecoveryLink(tickets, { realm, user, now, is_first })
  const off =
    config.admin === undefined ? 'The admin API is off: set admin.enabled in the configuration. ' : ''
  return {
    text: tools.table([
      ['username', user.username],
      ['sub', sub],
      ['role', 'owner'],
      ['link', url],
      ['expires', iso(expires_at)],
    ]),
    json: { ...named, created: known === null, granted, link: url, expires_at },
    note: `${off}The link is not shown again. It works once.`,
    event: { subject: { ...named, role: 'owner' } },
  }
}

export async function list(roles: Roles, tools: Pick<AdminTools, 'table'>): Promise<AdminResult> {
  const rows = await roles.list()
  const named = await Promise.all(rows.map(async (row) => ({ ...row, name: await nameOf(roles, row) })))
  return {
    text: tools.table([
      ['HOLDER', 'NAME', 'ROLE', 'REALMS'],
      ...named.map(({ holder, role, realms, name }) => [holder, name ?? '-', role, realms.join(' ')]),
    ]),
    json: {
      roles: named.map(({ holder, role, realms, name }) => ({
        ...idsOf(holder),
        name,
        role,
        realms,
      })),
    },
  }
}

/** The username of a user, or the id of a client; null when there is none any more. */
async function nameOf({ users, findClient }: Roles, { holder }: RoleRow): Promise<string | null> {
  const { sub, client_id } = idsOf(holder)
  if (sub !== null) return (await users.find(sub))?.username ?? null
  return (await findClient(client_id ?? '')) === null ? null : client_id
}

export async function grant(roles: Roles, tools: AdminTools, input: AdminInput): Promise<ChangeResult> {
  const { role, ids, holder, exists } = await wanted(roles, tools, input)
  if (!exists) throw tools.notFound(`There is no ${missing(input)}`)
  const realms = input.list('in').length > 0 ? input.list('in') : [ALL_REALMS]
  const { changed, ended_links } = await roles.grant({ holder, role, realms })
  return {
    text: changed ? `${role} in ${realms.join(', ')}: ${printable(name(input))}` : 'Nothing changed',
    json: { ...idsOf(holder), role, realms, changed },
    ...(ended_links > 0 && {
      note: 'The link of the user has ended, as others may have it. To make another one: ostiary user invite or ostiary user recovery-link',
    }),
    event: changed ? { subject: { ...ids, role } } : null,
  }
}

export async function revoke(roles: Roles, tools: AdminTools, input: AdminInput): Promise<ChangeResult> {
  const { role, ids, holder } = await wanted(roles, tools, input)
  if (!(await roles.revoke({ holder, role })))
    throw tools.notFound(`${printable(name(input))} does not have the role ${role}`)
  return {
    text: `${printable(name(input))} no longer has the role ${role}`,
    json: { ...idsOf(holder), role, changed: true },
    event: { subject: { ...ids, role } },
  }
}

const name = ({ args: [holder = ''] }: AdminInput): string => holder

const missing = (input: AdminInput): string => {
  return `${input.flag('client') ? 'client' : 'user'} ${input.flag('sub') ? 'with the sub ' : ''}${JSON.stringify(name(input))}`
}

interface Wanted {
  role: RoleRow['role']
  holder: Holder
  ids: Record<string, string>
  /** Whether there is such a user or client. */
  exists: boolean
}

/** The holder and the role of a command line. A role of a user or a client that is gone can be named by id. */
async function wanted(roles: Roles, tools: AdminTools, input: AdminInput): Promise<Wanted> {
  if (input.flag('sub') && input.flag('client')) throw tools.usageError('give --sub or --client, not both')
  const role = await told(tools, async () => checkedRole(input.args[1] ?? ''))
  if (input.flag('client')) {
    const client_id = name(input)
    const exists = (await roles.findClient(client_id)) !== null
    return { role, holder: holderOf({ client_id }), ids: { client_id }, exists }
  }
  const user = await userOf(roles, tools, input)
  if (user === null && !input.flag('sub')) throw tools.notFound(`There is no ${missing(input)}`)
  const sub = user?.sub ?? name(input)
  const ids = { sub, ...(user && { username: user.username }) }
  return { role, holder: holderOf({ sub }), ids, exists: user !== null }
}

async function userOf({ users }: Roles, tools: AdminTools, input: AdminInput): Promise<User | null> {
  return input.flag('sub') ? users.find(name(input)) : withName(users, tools, name(input))
}

/** Null also for a text that is no username. */
async function withName(users: Roles['users'], tools: AdminTools, username: string): Promise<User | null> {
  const key = tools.identity.usernameKey(username)
  return key === null ? null : users.findByUsername(key)
}

/** @throws The error of a command when the realm is not that of the administrators. */
function placeOf({ realm, records, config, audit, knownRealm }: OpenedRealm, tools: AdminTools): RolePlace {
  const admin = config.admin?.realm
  if (admin !== undefined && admin !== realm.id)
    throw tools.failure(`admin.realm is ${admin}, so the administrators are there: give --realm ${admin}`)
  const { oidc } = config
  const configured = () => (oidc.routes?.realms === 'path' ? Object.keys(oidc.realms ?? {}) : ['default'])
  const realms = knownRealm ?? configured()
  return { store: openRoleStore({ records }), realm: realm.id, realms, audit, by: null }
}

/** A refusal as the error of a command. */
async function told<T>(tools: AdminTools, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RoleError) throw tools.failure(error.message)
    throw error
  }
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** Without control characters: no text of a record may control the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')
