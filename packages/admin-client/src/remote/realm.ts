/** What a command asks of its realm. The storage of the machine answers, or the admin API of a server. */

import type { Management } from '@ostiary/core'
import type {
  Factor,
  FactorSelection,
  Invitation,
  Link,
  User,
  UserChanges,
  UserInput,
  UserStore,
  UserUpdate,
} from '@ostiary/identity'

/** What commands call of `Management` of `@ostiary/core`. */
export interface ManagedRecords {
  clients: Pick<Management['clients'], 'list' | 'find' | 'create' | 'update' | 'revoke' | 'delete'> & {
    /** Null when there is no such client. */
    rotateSecret(client_id: string): Promise<{ client_secret: string | null } | null>
    documents: Management['clients']['documents']
  }
  consents: Management['consents']
  grants: Management['grants']
  sessions: Pick<Management['sessions'], 'list' | 'end' | 'endAll'>
  keys: Pick<Management['keys'], 'list' | 'ready' | 'rotate' | 'revoke'>
}

/** How many sessions and grants ended with a change; null when they stay. */
export type EndedAccess = { sessions: number; grants: number } | null

/** A password that a command sets. */
export interface AccountPassword {
  password: string
  /** True when the command generated it. */
  generated: boolean
  /** Also one that the rules of the realm refuse. */
  force: boolean
}

/** What happens to the sessions and grants of a user. */
export interface AccessOptions {
  /** They stay. */
  keep_access: boolean
}

/** The factors of a user. */
export interface ListedFactors {
  /** Passkeys and the app, without what is secret. */
  factors: readonly Omit<Factor, 'data' | 'state' | 'sub'>[]
  /** How many are left. */
  recovery_codes: number
}

/** A removal of factors, which is checked and not made yet. */
export interface FactorsToRemove {
  removed: readonly Pick<Factor, 'factor_id' | 'kind' | 'label'>[]
  /** Whether each sign-in asks for a second step afterwards. */
  second_step: boolean
  /** @throws the error of a command when the user was changed meanwhile. */
  remove(options: AccessOptions): Promise<EndedAccess>
}

/** The same for accounts at other providers. */
export interface LinksToRemove {
  removed: readonly Pick<Link, 'upstream' | 'issuer' | 'subject' | 'label'>[]
  remove(options: AccessOptions): Promise<EndedAccess>
}

/** How a user gets in, as `user show` tells it. */
export interface WaysIn {
  /** Whether a password lets the user in. */
  password: boolean
  /** Those that work in the realm. */
  passkeys: number
  apps: number
  /** How many are left. */
  recovery_codes: number
  /** The accounts at other providers, by the id of the provider. */
  links: readonly string[]
  /** What the address is worth; null where the user does not sign in with one. */
  address: { use: string; says: string } | null
  /** The path of the user in the configuration; null for none. */
  configured: string | null
  /** Epoch seconds; null without an invitation that can be used. */
  invited_until: number | null
  /** Epoch seconds; null without a recovery by mail that waits or can begin. */
  recovery_until: number | null
}

/** What the creation of a user has made. */
export interface CreatedUser {
  user: User
  /** False in a realm without passwords, for one that was generated. */
  with_password: boolean
  /** Whether the realm has passwords; null when it is not known, as no password was given. */
  has_passwords: boolean | null
}

/** Changes of users, with what belongs to each. */
export interface AccountOperations {
  create(input: UserInput, password: AccountPassword | null): Promise<CreatedUser>
  /** Null when there is no such user. */
  update(change: { sub: string; change: (stored: User) => UserChanges }): Promise<UserUpdate | null>
  setDisabled(user: User, disabled: boolean, options: AccessOptions): Promise<EndedAccess>
  setPassword(user: User, password: AccountPassword, options: AccessOptions): Promise<EndedAccess>
  delete(user: User): Promise<{ sessions: number; grants: number; consents: number }>
  waysIn(user: User): Promise<WaysIn>
  listFactors(user: User): Promise<ListedFactors>
  /** Null when there is none. @throws the error of a command when the user could not sign in any more. */
  planFactors(user: User, selection: FactorSelection): Promise<FactorsToRemove | null>
  listLinks(user: User): Promise<readonly Omit<Link, 'sub'>[]>
  /** @param upstream All of them with null. */
  planLinks(user: User, upstream: string | null): Promise<LinksToRemove | null>
  recoveryLink(user: User): Promise<{ url: string; expires_at: number }>
  /** False when none waits. */
  cancelRecovery(user: User): Promise<boolean>
  /** @param print The link is not mailed. */
  invite(input: UserInput, print: boolean): Promise<Invitation>
}

/** Whose counters: of an account, of an address, or of both. */
export interface ThrottleSelection {
  username?: string
  address?: string
}

/** The counters of limits. */
export interface ThrottleOperations {
  /** Those that are not zero. */
  list(
    selection: ThrottleSelection,
  ): Promise<readonly { limit: string; counted: number; maximum: number; until: number }[]>
  /** Returns how many were reset. */
  reset(selection: ThrottleSelection): Promise<number>
}

/** An invitation that can be used. Times are epoch seconds. */
export interface OpenInvitation {
  sub: string
  username: string
  email: string | null
  created_at: number
  expires_at: number
}

/** What the configuration names; it is changed there. Empty where the server says so itself. */
export interface ConfiguredRecords {
  clients: readonly { path: string; metadata: { client_id?: string | undefined } }[]
  users: readonly { path: string; user: { username: string; sub?: string | undefined } }[]
}

/** One realm. */
export interface RealmOperations {
  management: ManagedRecords
  users: Pick<UserStore, 'find' | 'findByUsername' | 'list'>
  accounts: AccountOperations
  throttles: ThrottleOperations
  /** In the order of `sub`. */
  invitations(page: { after?: string; limit: number }): Promise<OpenInvitation[]>
  entries: ConfiguredRecords
  /** What the event of a command shows of an address. */
  log_addresses: 'full' | 'truncated' | 'none'
}
