/** The operations of the admin API about the audit, for the option `operations` of `createAdmin`. */

import type { UserStores } from '@ostiary/admin'
import { holderOf, type RoleRow, type RoleStore, roleBeyond } from '@ostiary/admin/roles'
import type { AuditRow, AuditStore } from '@ostiary/audit'
import type { Management } from '@ostiary/core'
import * as z from 'zod'
import type { CoreFunctions, OpenedRealm, UserFunctions } from './audit/command-types.js'

/** What an operation takes of a call of the API. */
export interface AuditCall {
  realm: string
  admin_realm: string
  params: Readonly<Record<string, string>>
  caller: { roles: readonly RoleRow[] }
  roles: RoleStore
  management: OpenedRealm['management'] & Pick<Management, 'sessions' | 'grants' | 'consents'>
  users: OpenedRealm['users']
  identity: UserFunctions
  /** Epoch seconds. */
  now: number
  configured: OpenedRealm['entries']
  /** Null without an audit, and while a change is only planned. */
  audit: OpenedRealm['audit']
  parts(): Promise<{ audit: { find(audit_id: string): Promise<object | null> } | null }>
}

/** An operation in the form of `@ostiary/admin`. */
export interface AuditOperation {
  id: string
  method: 'GET' | 'POST'
  path: string
  summary: string
  area: 'audit'
  access: 'read' | 'write'
  /** What has to be readable too. */
  also?(): 'users'
  answers: Readonly<Record<number, z.ZodType>>
  run(call: AuditCall, given: unknown): Promise<{ body: unknown }>
}

/** What the operations take of a server. */
export interface AuditSources {
  /** Of `@ostiary/core`. */
  core: Pick<CoreFunctions, 'clientFields' | 'clientInput'>
  /** Null without `audit.enabled`. */
  store: AuditStore | null
  stores: Pick<UserStores, 'factors' | 'tickets' | 'links' | 'remembered_devices'>
}

/** A request cannot be answered. `@ostiary/admin` knows it by its name and its code. */
class OperationError extends Error {
  override name = 'OperationError'

  readonly code: 'not_found' | 'forbidden' | 'conflict'

  constructor(code: OperationError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const notFound = (message: string) => new OperationError('not_found', message)
const conflict = (message: string) => new OperationError('conflict', message)

const isOff = () => notFound('audit.enabled is false: nothing is kept')

const undone = z.object({
  audit_id: z.string().describe('The row whose change is set back; the change has rows of its own'),
  sub: z.string().optional(),
  username: z.string().optional(),
  client_id: z.string().optional(),
  changed: z
    .array(z.object({ member: z.string(), from: z.unknown(), to: z.unknown() }))
    .describe('Empty when the record is as it was before'),
  sessions: z.int().optional().describe('How many end, of a user who is disabled again'),
  grants: z.int().optional(),
})
const personal = z.looseObject({
  format: z.literal('ostiary.personal-data/1'),
  realm: z.string(),
  exported_at: z.int(),
  user: z.record(z.string(), z.unknown()),
})
const coverage = z.object({
  complete_since: z
    .int()
    .nullable()
    .describe('Epoch seconds: since then the audit has every row; null when it has none'),
})

/** The operations `audit/{audit_id}/undo` and `audit-coverage`. */
export const auditOperations = (sources: AuditSources): AuditOperation[] => [
  {
    id: 'users.export',
    method: 'GET',
    path: '/users/{sub}/export',
    summary: 'Everything that is stored about a user, without secrets',
    area: 'audit',
    access: 'read',
    also: () => 'users',
    answers: { 200: personal },
    run: (call) => exported(call, sources),
  },
  {
    id: 'audit.undo',
    method: 'POST',
    path: '/audit/{audit_id}/undo',
    summary: 'Set back what a row has changed in a client or a user',
    area: 'audit',
    access: 'write',
    answers: { 200: undone },
    run: (call) => undo(call, sources.core),
  },
  {
    id: 'audit.coverage',
    method: 'GET',
    path: '/audit-coverage',
    summary: 'Since when the audit has every row',
    area: 'audit',
    access: 'read',
    answers: { 200: coverage },
    async run({ realm }) {
      const { store } = sources
      if (store === null) throw isOff()
      const { knownSince } = await import('./audit/history/rows.js')
      return { body: { complete_since: await knownSince(store, realm) } }
    },
  },
]

/** @throws OperationError */
async function exported(
  { realm, management, roles, users, params, audit }: AuditCall,
  { store, stores }: AuditSources,
): Promise<{ body: unknown }> {
  const user = await users.find(params.sub ?? '')
  if (user === null) throw notFound('There is no user with this sub')
  const [{ exportUser }, { memoryAuditStore }] = await Promise.all([
    import('@ostiary/personal-data'),
    import('@ostiary/audit'),
  ])
  const { factors, tickets, links, remembered_devices } = stores
  const opened = {
    realm: { id: realm },
    management,
    users,
    audit,
    factors: factors(realm),
    tickets: tickets(realm),
    links: links(realm),
    remembered_devices: remembered_devices(realm),
  }
  const { json } = await exportUser(opened, user, {
    admin: { openRoleStore: () => roles },
    audit: { openAuditStore: () => store ?? memoryAuditStore() },
  })
  return { body: json }
}

/** Without an audit there is no row. @throws OperationError */
async function undo(call: AuditCall, core: AuditSources['core']): Promise<{ body: unknown }> {
  const { realm, management, users, configured, params } = call
  const { audit: rows } = await call.parts()
  if (rows === null) throw isOff()
  const find = async (_realm: string, audit_id: string) => (await rows.find(audit_id)) as AuditRow | null
  const id = params.audit_id ?? ''
  await requireBelow(call, await find(realm, id))
  const errors = { usageError: conflict, notFound, failure: conflict }
  const { undo: undoRow } = await import('./audit/history/undo.js')
  const { json } = await undoRow(
    {
      realm,
      store: { find, list: async () => [] },
      errors,
      table: () => '',
      management,
      users,
      identity: at(call),
      entries: configured,
      // A plan has no row.
      audit: call.audit ?? { change: (_change, run) => run() },
      core,
      confirm: async () => {},
    },
    { args: [id], text: () => undefined, flag: () => false },
  )
  const { id: audit_id, ...members } = json as { id: string }
  return { body: { audit_id, ...members } }
}

/** The functions by the clock of the API. */
function at({ identity, now: seconds }: AuditCall): UserFunctions {
  const clock = { now: () => seconds }
  return {
    ...identity,
    updateUser: (users, change) => identity.updateUser(users, change, clock),
    setDisabled: (users, change) => identity.setDisabled(users, change, clock),
  }
}

/** @throws OperationError for a record that holds a role beyond the caller's own. */
async function requireBelow(
  { realm, admin_realm, caller, roles }: AuditCall,
  row: AuditRow | null,
): Promise<void> {
  if (row === null || realm !== admin_realm) return
  const { sub, client_id } = row
  const ids = [...(sub === null ? [] : [{ sub }]), ...(client_id === null ? [] : [{ client_id }])]
  const held = await Promise.all(ids.map((holder) => roles.of(admin_realm, holderOf(holder))))
  const beyond = roleBeyond(caller.roles, held.flat())
  if (beyond === null) return
  const where = beyond.realms.join(', ')
  throw new OperationError(
    'forbidden',
    `The row is about a holder of the role ${beyond.role} in ${where}, which is beyond your own`,
  )
}
