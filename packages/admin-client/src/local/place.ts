/** What the commands of users need of the machine. */

import type { Management, Realm, RealmStorage } from '@ostiary/core'
import type * as identity from '@ostiary/identity'
import type {
  Factor,
  FactorStore,
  IdentitySettings,
  Link,
  LinkStore,
  TicketStore,
  User,
  UserStore,
} from '@ostiary/identity'
import type { MailQueue } from '@ostiary/identity/mail'
import type { ConfiguredRecords } from '../remote/realm.js'

/** Functions of the command line and of `@ostiary/identity`, as the process has loaded them. */
export interface LocalTools {
  identity: Pick<
    typeof identity,
    | 'codesLeft'
    | 'createRecoveryLink'
    | 'createUser'
    | 'inviteUser'
    | 'passkeysFor'
    | 'passwordRulesFault'
    | 'planFactorRemoval'
    | 'removeFactors'
    | 'setDisabled'
    | 'setPassword'
    | 'signInSettings'
    | 'updateUser'
  >
  failure(message: string): Error
  /** Without control characters. */
  printable(text: string): string
  /** The links at an upstream, or all with null. */
  planLinkRemoval(
    linked: {
      user: User
      links: readonly Link[]
      factors: readonly Factor[]
      settings: Pick<identity.SignInSettings, 'password' | 'passkeys'>
    },
    upstream: string | null,
  ): Link[] | 'last_way_in' | 'no_link'
  /** False when the user was changed meanwhile. */
  removeLinks(
    store: LinkStore,
    plan: { credential_version: number; found: readonly Link[] },
    now: number,
  ): Promise<boolean>
  /** Of new passwords; null where the realm has none. */
  passwordRules(): Promise<identity.PasswordRules | null>
  configuredPath(realm: { entries: Pick<ConfiguredRecords, 'users'> }, user: User): string | null
  /** Whether the link of a ticket lets the user in. */
  isOpen(ticket: identity.Ticket, user: User, now: number): boolean
  /** Epoch seconds. */
  now(): number
}

/** A realm whose storage is open. */
export interface LocalRealm {
  management: Management
  storage: Pick<RealmStorage, 'clients' | 'throttle'>
  users: UserStore
  factors: FactorStore
  tickets: TicketStore
  links: LinkStore
  mails: MailQueue
  entries: ConfiguredRecords & { identity: IdentitySettings; mail: { from: string; per_hour: number } | null }
  realm: Realm
  /** Of the server. */
  config: { secret: string }
  by_email: { useOf(realm: string, user: User): Promise<{ use: string; says: string } | null> } | null
}

/** A realm, and the functions that work on it. */
export interface LocalPlace {
  opened: LocalRealm
  tools: LocalTools
}
