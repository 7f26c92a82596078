/** The document, and what it is made from. */

import type { Consent, Grant, Management, Session } from '@ostiary/core'
import type {
  Factor,
  FactorStore,
  Link,
  LinkStore,
  RememberedDevice,
  RememberedDeviceStore,
  Ticket,
  TicketStore,
  User,
} from '@ostiary/identity'

/** What is stored about one user. Times are epoch seconds. It has no secret, and no hash of one. */
export interface PersonalData {
  /** The form of the document. A later form has another number. */
  format: 'ostiary.personal-data/1'
  realm: string
  exported_at: number
  user: ExportedUser
  /** Passkeys, authenticator apps and sets of recovery codes. */
  factors: ExportedFactor[]
  /** Browsers in which the password is enough for some days. */
  remembered_devices: Omit<RememberedDevice, 'secret_hash' | 'former_hash'>[]
  /** Accounts at other providers with which the user signs in. */
  links: Link[]
  /** Links of recovery, invitation or confirmation that were made and not used. */
  tickets: ExportedTicket[]
  sessions: Omit<Session, 'session_hash'>[]
  /** What applications may do for the user now. */
  grants: Grant[]
  /** What the user has allowed applications, and withdrawn. */
  consents: Consent[]
  /** As an administrator. */
  roles: { role: string; realms: readonly string[] }[]
  /** The rows of the audit about the user, and of what the user has done. The oldest first. */
  audit: ExportedRow[]
}

/** The record of the user, without the password. */
export interface ExportedUser extends Omit<User, 'password_hash' | 'username_key'> {
  has_password: boolean
}

/** A factor, without its secret. */
export interface ExportedFactor extends Omit<Factor, 'data' | 'state'> {
  /** Of a passkey. */
  passkey?: Record<string, unknown>
}

/** A link that was made for the user, without its secret. */
export type ExportedTicket = Pick<Ticket, 'purpose' | 'created_at' | 'expires_at'>

/** A row of the audit, without its place in a seal. */
export interface ExportedRow {
  audit_id: string
  time: number
  type: string
  outcome: string
  actor: string
  sub: string | null
  client_id: string | null
  flow: string | null
  refs: readonly string[]
  count: number
  data: Record<string, unknown>
  /** The address of the sender; absent without one, and after it was erased. */
  address?: string
  /** The changed members, as they were and as they are. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** The stores of the realm. */
export interface PersonalDataSources {
  realm: { id: string }
  management: Pick<Management, 'sessions' | 'grants' | 'consents'>
  factors: Pick<FactorStore, 'list'>
  tickets: Pick<TicketStore, 'findOf'>
  links: Pick<LinkStore, 'list'>
  remembered_devices: Pick<RememberedDeviceStore, 'list'>
  /** Of the user, by `sub`. */
  roles(sub: string): Promise<PersonalData['roles']>
  /** The rows that match, the oldest first. */
  audit(filter: { sub: string } | { actor: string }): Promise<ExportedRow[]>
  /** Epoch seconds. */
  now: number
}
