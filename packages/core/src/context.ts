/** The context of a realm, and that of one request in it: the first parameter of every endpoint, grant and step. */

import type { Guard } from '@ostiary/resource-server'
import type { CachedClients } from './client-cache.js'
import type { ClientDocuments } from './documents/client-documents.js'
import type { FetchBudgets } from './documents/fetch-budgets.js'
import type { OAuthError } from './errors.js'
import type { EventDetails } from './events.js'
import type { Accounts, ExchangePolicy, FetchDocument, Interactions } from './ports.js'
import type { UserClaims } from './protocol/claims.js'
import type { Hashes, Random } from './protocol/secret.js'
import type { Realm } from './realm.js'
import type { IssueGrant, RealmStorage } from './storage.js'
import type { OpenKey, Signer } from './tokens/keys.js'
import type { Secrets } from './tokens/secrets.js'
import type { VerifiedTokens } from './tokens/verified-tokens.js'

/** The realm's signing keys, decrypted. */
export interface KeyRing {
  loaded_at: number
  /** The published keys of all algorithms, sorted by `signs_from`. */
  keys: readonly OpenKey[]
}

/** A realm with its storage, keys and ports: what jobs, guards and caches need, which have no request. */
export interface RealmContext {
  realm: Realm
  storage: RealmStorage & {
    clients: CachedClients
    /** Undefined: the storage does not have it. */
    issue: IssueGrant | undefined
  }
  accounts: Accounts
  secrets: Secrets
  /** Only steps/signing-keys.ts reads and reloads it. */
  key_ring: { loaded: KeyRing | null; loading: Promise<KeyRing> | null }
  /** Undefined: WebCrypto signs. */
  signer: Signer | undefined
  /** Shared by all realms. */
  verified: VerifiedTokens
  hashes: Hashes
  random: Random
  claims: UserClaims
  /** Whether access tokens can have claims of the user; if not, they are not asked for. */
  claims_in_access_tokens: boolean
  /** The guard named by `oidc.auth.api_guard`. */
  guard: Guard
  /** For requests that the provider itself sends (back-channel logout). */
  fetch: typeof fetch
  /** Null: the application has given none, and no document is read. */
  fetch_document: FetchDocument | null
  /** The documents of clients whose client_id is a URL; null: the realm reads none. */
  client_documents: ClientDocuments | null
  /** Of the documents that are read; shared by all realms. */
  fetch_budgets: FetchBudgets
  /** Epoch seconds. */
  now(): number
  emit(event: EventDetails): void
  /** Emits an unexpected failure, and returns the error for the client, which does not contain the cause. */
  failure(cause: unknown, route?: string | null): OAuthError
}

/** What the steps have found out about a request, for the event of its refusal. */
interface RequestFacts {
  /** A client that exists. An unknown client_id may be a secret, so it is never here. */
  client_id: string | null
  /** As it was sent. */
  redirect_uri: string | null
}

/** Null for a request without a body. */
type RequestBody = Uint8Array<ArrayBuffer> | null

export interface Context extends RealmContext {
  request: Request
  /** The query of the request's URL, with its `?`; empty when there is none. */
  search: string
  /** For a route that ends in `{path?}`: that part of the URL, without the leading slash. */
  path: string
  /** The body, if the host has read it already; undefined if not. */
  body: RequestBody | undefined
  /** The client's IP address, as the host sees it. */
  address: string | null
  facts: RequestFacts
  interactions: Interactions
  exchange_policy: ExchangePolicy
}
