/** An optional capability: what it adds where it is on. `features.ts` has the list of all. */

import type { FetchBudgets } from '../documents/fetch-budgets.js'
import type { RouteName } from '../http/route-name.js'
import type { StaticDocument } from '../http/static-document.js'
import type { Clients } from '../realm/clients.js'
import type { ClientAuthMethod, Context, GrantType, RealmContext } from '../realm/context.js'
import type { FetchDocument } from '../realm/ports.js'
import type { Realm, RealmRules } from '../realm/realm.js'
import type { RealmStorage } from '../storage/storage.js'

/** A path below a realm, and what answers there. */
export interface Endpoint {
  methods: readonly string[]
  /** Below the realm, as in a single-realm deployment. */
  path: string
  /** Whether more path segments may follow, `{path?}`. */
  catch_all?: true
  /** Pages of any origin may read the answers, without credentials; the handler sets the headers too. */
  cors?: true
  /**
   * A person navigates there: a browser gets its errors as a page. Every other route answers JSON or a challenge for every
   * `Accept` says, since programs list `text/html` too.
   */
  page?: true
  /** Whether it reads DPoP proofs, where they are on: pages may send them, and read the nonces (RFC 9449 §8.2). */
  reads_proofs?: true
  handler: (c: Context) => Promise<Response>
  /**
   * The document of a route that has one for all requests, without waiting; null when only the handler can answer.
   * @param path What follows the path of a catch-all route.
   */
  document?: (c: RealmContext, path: string) => StaticDocument | null
}

/** By the names of their routes. */
export type Endpoints = Readonly<Partial<Record<RouteName, Endpoint>>>

export interface Feature {
  /** Its specification. */
  spec: string
  /** Whether a realm has it. Where it has not, its endpoints do not exist, and its grant types are unknown. */
  enabled(realm: RealmRules): boolean
  endpoints?: Endpoints
  /** By the values of `grant_type`. */
  grants?: Readonly<Record<string, GrantType>>
  /** Members of the provider metadata (RFC 8414 §2). */
  metadata?(realm: Realm): Readonly<Record<string, unknown>>
  /** Further clients. @throws ConfigError when the application has not given what it needs */
  clients?(clients: Clients, parts: FeatureParts): Clients
  /** A method of client authentication; null: the realm reads no credentials of it. */
  authMethod?(parts: FeatureParts): ClientAuthMethod | null
}

/** What the capabilities of a realm share. */
export interface FeatureParts {
  realm: Realm
  storage: RealmStorage
  /** Null: the application has given none. */
  fetch_document: FetchDocument | null
  budgets: FetchBudgets
  /** Epoch seconds. */
  now: () => number
}
