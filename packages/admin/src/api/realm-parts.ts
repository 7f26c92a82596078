/** Opens the parts of a realm over the stores of a server. */

import type { Provider, Realm, Storage } from '@ostiary/core'
import type {
  Factor,
  IdentityEvent,
  IdentitySettings,
  inviteUser,
  Link,
  LinkStore,
  SignInSettings,
  signInSettings,
  TicketStore,
  User,
  UserStore,
  usernameKey,
} from '@ostiary/identity'
import type { MailOptions } from '@ostiary/identity/mail'
import { realmOf } from './authenticate.js'
import type {
  AuditReader,
  OpenInvitation,
  OpenParts,
  QueryRunner,
  RealmParts,
  RealmThrottles,
  StoredRow,
  UpstreamReader,
  UserLinks,
  UserStores,
  WayFunctions,
} from './parts.js'

/** Further functions, which commands have too. */
export interface PartFunctions extends WayFunctions {
  inviteUser: typeof inviteUser
  signInSettings: typeof signInSettings
  usernameKey: typeof usernameKey
  /** The links at an upstream, or all with null. */
  planLinkRemoval(
    linked: {
      user: User
      links: readonly Link[]
      factors: readonly Factor[]
      settings: Pick<SignInSettings, 'password' | 'passkeys'>
    },
    upstream: string | null,
  ): Link[] | 'last_way_in' | 'no_link'
  /** False when the user was changed meanwhile. */
  removeLinks(
    store: LinkStore,
    plan: { credential_version: number; found: readonly Link[] },
    now: number,
  ): Promise<boolean>
  /** @param now Epoch seconds. */
  openInvitations(
    stores: { users: UserStore; tickets: TicketStore },
    page: { after?: string; limit: number },
    now: number,
  ): Promise<OpenInvitation[]>
  /** The counters of a realm. */
  throttlesOf(realm: Realm, users: UserStore): RealmThrottles
  /** The stories of a name; null where the audit is in memory. */
  explain: ((realm: Realm, name: string) => Promise<readonly unknown[]>) | null
}

/** The options of `realmParts`. */
export interface PartsSources {
  provider: Pick<Provider, 'locate' | 'url'>
  /** No change of them has a row. */
  stores: UserStores
  storage: Storage
  /** Undefined where the records are in memory. */
  records: QueryRunner | undefined
  /** Of the server, and before its last change. */
  secret: string
  previous_secret?: string | undefined
  /** What the sign-in of a realm offers. */
  identity: (realm: string) => IdentitySettings
  upstreams: (realm: string) => UpstreamReader
  audit: {
    store: {
      find(realm: string, audit_id: string): Promise<StoredRow | null>
      list(realm: string, page: Parameters<AuditReader['list']>[0]): Promise<StoredRow[]>
    }
    as(actor: string, request_id: string): { stores<Stores extends UserStores>(stores: Stores): Stores }
  } | null
  /** As `createEmailSignIn` returns it. */
  by_email: {
    useOf(realm: string, user: User): Promise<{ use: string } | null>
    extension: { names?(realm: string): { find(key: string): Promise<User | null> } | null }
  } | null
  /** Null when no realm mails. */
  mail: MailOptions | null
  functions: PartFunctions
  on_event: (event: IdentityEvent) => void
  /** Epoch seconds. */
  now: () => number
}

/** For `parts` of `createAdmin`. */
export const realmParts =
  (sources: PartsSources): OpenParts =>
  async (id, { actor, request_id, plan }) => {
    const { provider, audit, functions } = sources
    const realm = await realmOf(provider, id)
    const settings = functions.signInSettings(realm, sources.identity(id))
    const changed = audit?.as(actor, request_id).stores(sources.stores) ?? sources.stores
    const stores = plan?.(sources.stores) ?? changed
    const users = stores.users(id)
    const tickets = stores.tickets(id)
    const upstreams = sources.upstreams(id)
    return {
      realm,
      settings,
      identity: functions,
      factors: stores.factors(id),
      tickets,
      links: upstreams.list.length > 0 ? linksOf(sources, { realm: id, settings, stores }) : null,
      upstreams,
      addresses: addressesOf(sources, id),
      throttles: functions.throttlesOf(realm, users),
      audit: auditOf(sources, realm),
      invitations: (page) => functions.openInvitations({ users, tickets }, page, sources.now()),
      invite: inviterOf(plan ? withoutEffects(sources) : sources, realm, stores),
      records: recordsOf(sources.records),
    }
  }

/** Where several PostgreSQL have the names, no statement reads those of all. */
function recordsOf(records: QueryRunner | undefined): RealmParts['records'] {
  if (records === undefined) return null
  return 'ranges' in records ? 'divided' : records
}

/** Nothing is counted, mailed or reported. */
function withoutEffects({ storage, mail, ...sources }: PartsSources): PartsSources {
  return {
    ...sources,
    storage(id) {
      const stores = storage(id)
      const uncounted = {
        hit: async () => 0,
        hitBoth: async () => ({ first: 0, second: 0 }),
        release: async () => {},
      }
      return { ...stores, throttle: { ...stores.throttle, ...uncounted } }
    },
    mail: mail && { ...mail, queue: { ...mail.queue, add: async () => {} } },
    on_event: () => {},
  }
}

function inviterOf(sources: PartsSources, realm: Realm, stores: UserStores): RealmParts['invite'] {
  const { secret, previous_secret, storage, mail, on_event, now, functions } = sources
  return (input, print) =>
    functions.inviteUser(
      {
        ...stores,
        secret,
        ...(previous_secret !== undefined && { previous_secret }),
        ...(mail && !print && { mail }),
        throttle: (id) => storage(id).throttle,
        on_event,
        now,
      },
      realm,
      input,
    )
}

function linksOf(
  { functions, now }: PartsSources,
  { realm, settings, stores }: { realm: string; settings: SignInSettings; stores: UserStores },
): UserLinks {
  const store = stores.links(realm)
  return {
    list: store.list,
    async remove(user, upstream) {
      const { sub, credential_version } = user
      const [links, factors] = await Promise.all([store.list(sub), stores.factors(realm).list(sub)])
      const found = functions.planLinkRemoval({ user, links, factors, settings }, upstream)
      if (!Array.isArray(found)) return found
      return (await functions.removeLinks(store, { credential_version, found }, now())) ? found : 'changed'
    },
  }
}

function addressesOf({ by_email, functions }: PartsSources, realm: string): RealmParts['addresses'] {
  const names = by_email?.extension.names?.(realm) ?? null
  if (by_email === null || names === null) return null
  return {
    useOf: async (user) => (await by_email.useOf(realm, user))?.use ?? null,
    async find(address) {
      const key = functions.usernameKey(address)
      return key === null ? null : names.find(key)
    },
  }
}

function auditOf({ audit, functions }: PartsSources, realm: Realm): AuditReader | null {
  if (audit === null) return null
  const { explain } = functions
  return {
    find: (audit_id) => audit.store.find(realm.id, audit_id),
    list: (page) => audit.store.list(realm.id, page),
    explain: explain && ((name) => explain(realm, name)),
  }
}
