/** What the application supplies: its accounts and its pages. */

import type { AccessToken } from '@ostiary/resource-server'
import type { Realm } from './realm.js'
import type { Client, LoginReason } from './storage.js'

/** OpenID Connect standard claims (Core §5.1) and whatever else the application knows about the account. */
export type Claims = Record<string, unknown>

/** A person, as the application knows them. */
export interface Account {
  /** Never reassigned, at most 255 ASCII characters (OpenID Connect Core §2). */
  sub: string
  claims: Claims
}

/** Where the people are: asked at each authorization, each refresh, and for each bearer token. */
export interface Accounts {
  /** The account, or null when there is none (or it may not be used any more): its tokens are refused then. */
  find(sub: string, realm: Realm): Promise<Account | null>
}

/**
 * Which claims go where. The default maps the standard claims per scope (OpenID Connect Core §5.4).
 * `sub` and the protocol claims are core's: returned here, they are dropped.
 */
export type ClaimsResolver = (
  account: Account,
  scopes: readonly string[],
  target: 'id_token' | 'userinfo',
) => Claims | Promise<Claims>

/** What a sign-in page needs to know about the request that waits. */
export interface LoginPrompt {
  realm: Realm
  client: Client
  reason: LoginReason
  acr_values: string[]
  /** Opaque. Hand it to `provider.login()` and `provider.loginPrompt()`. */
  return_to: string
  /** Where the answer will go once all is done; pages need its origin for `form-action`. */
  redirect_uri: string
  request: Request
}

/** One scope of a consent page. */
export interface ConsentScope {
  value: string
  /** In words, when the catalog has them. */
  description: string | null
}

/** What a consent page shows, and what its form must send. All texts are a stranger's: escape them. */
export interface ConsentPrompt {
  realm: Realm
  client: Client
  user: Account
  /** What to show: hidden scopes are left out. */
  scopes: ConsentScope[]
  /** True: the client keeps its access when the person does not use it (OpenID Connect Core §11). Always say so. */
  offline_access: boolean
  /** URIs of the resources that the request names; empty when it names none. */
  resources: string[]
  /** Host (or custom scheme and host) that will receive the answer. */
  redirect_host: string
  redirect_uri: string
  /** Single use. Post it to `action` to approve; add `_method=DELETE` to deny. */
  auth_token: string
  action: string
  /** For a link that lets another person sign in. */
  return_to: string
  request: Request
}

/**
 * What the page that asks whether to sign out shows, and what its form must send (OpenID Connect RP-Initiated
 * Logout §2).
 */
export interface LogoutPrompt {
  realm: Realm
  client: Client | null
  user: Account | null
  /** Single use. Post it to `action` as `confirmation_token` to confirm. */
  confirmation_token: string
  action: string
  redirect_uri: string | null
  request: Request
}

/** For the page after signing out. */
export interface SignedOutPrompt {
  realm: Realm
  request: Request
}

/**
 * What an error page shows: the HTTP status to answer with, the error code of the protocol, and a sentence in
 * ASCII.
 */
export interface ErrorPrompt {
  realm: Realm
  status: number
  code: string
  description: string
  request: Request
}

/** The pages that the application brings. Each gets a prompt and answers with a page, or a redirect to one. */
export interface Interactions {
  /** Renders the login page or redirects to it. */
  login(prompt: LoginPrompt): Promise<Response>
  /** Without it a request that needs consent throws MissingViewError. */
  consent?(prompt: ConsentPrompt): Promise<Response>
  /** The page that asks whether to sign out; a plain built-in one when absent. */
  logout?(prompt: LogoutPrompt): Promise<Response>
  /** The page after signing out when no client takes over; a plain built-in one when absent. */
  signedOut?(prompt: SignedOutPrompt): Promise<Response>
  /** A person (not a client) followed a link that no longer works; JSON when absent. */
  error?(prompt: ErrorPrompt): Promise<Response>
}

/** What the application found out when it checked who is there. */
export interface Login {
  sub: string
  /** RFC 8176 values, e.g. `['pwd']`. */
  amr: string[]
  /** One of `oidc.acr_values_supported` by the number of methods when absent. */
  acr?: string
  /** When the person authenticated, epoch seconds: now when absent, null when unknown (a remembered login). */
  auth_time?: number | null
  /**
   * What the login prompt gave; or, for a person whom no client has sent, a page of the application's own: a path below
   * the realm, such as `/account`. A path that leads out of the realm is refused, and no session is started.
   */
  return_to: string | { path: string }
  /**
   * Asked once the session is stored; false ends it again, as if the request had expired. For what may have changed since
   * the person was checked, a password for one: either it is seen here, or the one who changed it finds the session.
   */
  still_valid?: () => Promise<boolean>
}

/** A token exchange (RFC 8693) whose subject token and target were checked. */
export interface ExchangeRequest {
  realm: Realm
  /** Who asks. */
  client: Client
  subject: AccessToken
  /** What the new token will be addressed to. */
  audience: string
  /** The scopes that the audience owns. */
  owned_scopes: readonly string[]
  /** Null when the request names none. */
  requested_scopes: readonly string[] | null
}

/** Grants these scopes, or throws an OAuthError. */
export type ExchangePolicy = (request: ExchangeRequest) => Promise<{ scopes: string[] }>
