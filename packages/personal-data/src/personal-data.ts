/** personalData(): everything that is stored about a user. */

import type { Factor, TicketPurpose, User } from '@ostiary/identity'
import type {
  ExportedFactor,
  ExportedRow,
  ExportedTicket,
  ExportedUser,
  PersonalData,
  PersonalDataSources,
} from './document.js'

/**
 * Reads everything that the stores of a realm have about a user. What waits for a day at most is left out: mails and notices of
 * sign-outs that wait to be sent, requests that wait for a sign-in, and counters of limits.
 */
export async function personalData(sources: PersonalDataSources, user: User): Promise<PersonalData> {
  const { realm, management, factors, tickets, links, remembered_devices, roles, audit, now } = sources
  const { sub } = user
  const sessions = await management.sessions.list(sub)
  const devices = await remembered_devices.list(sub)
  return {
    format: 'ostiary.personal-data/1',
    realm: realm.id,
    exported_at: now,
    user: exportedUser(user),
    factors: (await factors.list(sub)).map(exportedFactor),
    remembered_devices: devices.map(({ secret_hash: _, former_hash: __, ...device }) => device),
    links: await links.list(sub),
    tickets: await exportedTickets(tickets, sub),
    sessions: sessions.map(({ session_hash: _, ...session }) => session),
    grants: await management.grants.list(sub),
    consents: await management.consents.list(sub),
    roles: await roles(sub),
    audit: inOrder([...(await audit({ sub })), ...(await audit({ actor: `sub:${sub}` }))]),
  }
}

const exportedUser = ({ password_hash, username_key: _, ...user }: User): ExportedUser => ({
  ...user,
  has_password: password_hash !== null,
})

/** What a passkey is: none of it is a secret. */
const PASSKEY_MEMBERS = [
  'credential_id',
  'public_key',
  'algorithm',
  'backup_eligible',
  'transports',
  'aaguid',
  'rp_id',
]

function exportedFactor({ data, state: _, ...factor }: Factor): ExportedFactor {
  if (factor.kind !== 'passkey') return factor
  const members = Object.entries(data).filter(([name]) => PASSKEY_MEMBERS.includes(name))
  return { ...factor, passkey: Object.fromEntries(members) }
}

/** A `Record`, so that a new purpose does not compile without its place here. */
const PURPOSES: Record<TicketPurpose, true> = {
  recover: true,
  reset: true,
  invite: true,
  regain: true,
  wait: true,
  verify: true,
  undo: true,
  delete: true,
}

async function exportedTickets(
  tickets: PersonalDataSources['tickets'],
  sub: string,
): Promise<ExportedTicket[]> {
  const found: ExportedTicket[] = []
  for (const name of Object.keys(PURPOSES) as TicketPurpose[]) {
    const ticket = await tickets.findOf(sub, name)
    if (ticket === null) continue
    const { purpose, created_at, expires_at } = ticket
    found.push({ purpose, created_at, expires_at })
  }
  return found
}

/** By their ids, which are in the order of time. A row of what users have done to their own account is found twice. */
function inOrder(rows: readonly ExportedRow[]): ExportedRow[] {
  const by_id = new Map(rows.map((row) => [row.audit_id, row]))
  return [...by_id.values()].sort((one, other) => (one.audit_id < other.audit_id ? -1 : 1))
}
