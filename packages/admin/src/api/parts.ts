/** What a realm has beside clients, users and what core stores: opened by the host for one call. */

import type { Realm } from '@ostiary/core'
import type {
  codesLeft,
  createRecoveryLink,
  FactorStore,
  Factors,
  Invitation,
  Link,
  Links,
  passkeysFor,
  planFactorRemoval,
  RememberedDevices,
  removeFactors,
  SignInSettings,
  TicketStore,
  Tickets,
  User,
  UserInput,
  Users,
} from '@ostiary/identity'

/** Functions of `@ostiary/identity`. */
export interface WayFunctions {
  codesLeft: typeof codesLeft
  passkeysFor: typeof passkeysFor
  createRecoveryLink: typeof createRecoveryLink
  planFactorRemoval: typeof planFactorRemoval
  removeFactors: typeof removeFactors
}

/** Accounts at other providers. */
export interface UserLinks {
  /** The oldest first. */
  list(sub: string): Promise<Link[]>
  /**
   * Removes those at one provider, or all with null. `last_way_in`: without them the user could not sign in. `changed`: the user was changed
   * meanwhile, and some may be removed.
   */
  remove(user: User, upstream: string | null): Promise<Link[] | 'last_way_in' | 'no_link' | 'changed'>
}

/** Another provider, as the configuration has it, without what is secret. */
export interface ShownUpstream {
  id: string
  /** On the button. */
  name: string
  type: 'oidc' | 'github'
  /** Null at GitHub, which has none. */
  issuer: string | null
  client_id: string
  /** What the server authenticates with there. */
  authentication: 'client_secret' | 'private_key'
  /** It has to be registered there, exactly so. */
  redirect_uri: string
  /** Where the provider sends logout tokens; null at GitHub. */
  backchannel_logout_uri: string | null
  /** Beside `openid`; null for those that the type of provider needs. */
  scopes: readonly string[] | null
  signup: boolean
  link: 'signed_in' | 'verified_email'
  domains: readonly string[]
  authoritative_domains: readonly string[]
  tenants: readonly string[]
  only: boolean
  require_second_factor: boolean
  groups: { claim: string; map: Readonly<Record<string, string>> } | null
  /** The path of its settings in the configuration. */
  key: string
}

/** Whether a sign-in at a provider can begin. */
export interface UpstreamCheck {
  id: string
  /** False at GitHub, where there is nothing to ask for. */
  asked: boolean
  ready: boolean
  /** Why not, in a word, and what to do; null when it can. */
  reason: string | null
  hint: string | null
}

/** The other providers of a realm. */
export interface UpstreamReader {
  list: readonly ShownUpstream[]
  /** Asks one of them, for a few seconds; null when there is no such provider. */
  check(id: string): Promise<UpstreamCheck | null>
}

/** Addresses with which users sign in in place of the username. */
export interface SignInAddresses {
  /** What the confirmed address of a user is worth; null where there is none. */
  useOf(user: User): Promise<string | null>
  /** Who signs in with an address. */
  find(address: string): Promise<User | null>
}

/** Whose counters: of an account, of an address, or of both. */
export interface ThrottleSelection {
  username?: string
  address?: string
}

/** The counters of limits. */
export interface RealmThrottles {
  /** Those that are not zero. */
  list(
    selection: ThrottleSelection,
  ): Promise<{ limit: string; counted: number; maximum: number; until: number }[]>
  /** Returns how many were reset. */
  reset(selection: ThrottleSelection): Promise<number>
}

/** An invitation that can be used. */
export interface OpenInvitation {
  sub: string
  username: string
  email: string | null
  /** Epoch seconds. */
  created_at: number
  expires_at: number
}

/** A row of the audit, as `@ostiary/audit` stores it. */
export interface StoredRow {
  audit_id: string
  data: string
  private: string | null
  salt: string | null
  private_hash: string | null
}

/** What an administrator reads of the audit of a realm. */
export interface AuditReader {
  find(audit_id: string): Promise<StoredRow | null>
  /** The newest first, from the one before `before`. */
  list(page: {
    filter: Readonly<Record<string, string | number>>
    before?: string
    limit: number
  }): Promise<StoredRow[]>
  /** The stories of a reference, a flow or a request id; null where the rows are in memory. */
  explain: ((name: string) => Promise<readonly unknown[]>) | null
}

/** What statements need of a database. */
export interface QueryRunner {
  /** Returns the rows. */
  query<T>(text: string, params?: readonly (string | number | boolean | null)[]): Promise<T[]>
}

/** The parts of one realm. Changes of its stores have rows, whose actor is the caller. */
export interface RealmParts {
  realm: Realm
  settings: SignInSettings
  identity: WayFunctions
  factors: FactorStore
  tickets: TicketStore
  /** Null in a realm without other providers. */
  links: UserLinks | null
  upstreams: UpstreamReader
  /** Null in a realm where users do not sign in with an address. */
  addresses: SignInAddresses | null
  throttles: RealmThrottles
  /** Null without `audit.enabled`. */
  audit: AuditReader | null
  /** As `inviteUser` of `@ostiary/identity`. @param print The link is not mailed. */
  invite(input: UserInput, print: boolean): Promise<Invitation>
  /** In the order of `sub`. */
  invitations(page: { after?: string; limit: number }): Promise<OpenInvitation[]>
  /** The database, whose names of users have an index; null where they are in memory. */
  records: QueryRunner | 'divided' | null
}

/** The stores of users and of what belongs to them. */
export interface UserStores {
  users: Users
  factors: Factors
  tickets: Tickets
  links: Links
  remembered_devices: RememberedDevices
}

/** Puts stores whose writes are only planned in the place of others. */
export type PlanStores = (stores: UserStores) => UserStores

/** For one call. With `plan`, nothing is stored, counted, mailed or reported. */
export type OpenParts = (
  realm: string,
  by: { actor: string; request_id: string; plan?: PlanStores },
) => RealmParts | Promise<RealmParts>
