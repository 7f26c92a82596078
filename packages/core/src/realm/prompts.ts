/** What the pages of the application get: a prompt each. */

import type { Client, ClientOrigin, LoginReason } from '../storage/storage.js'
import type { DeniedRule } from './access-ports.js'
import type { Account } from './account.js'
import type { Realm } from './realm.js'

/** What a login page needs to know about the pending request. */
export interface LoginPrompt {
  realm: Realm
  client: Client
  reason: LoginReason
  /** What the client asks for, in its order; a requirement where `oidc.acr` is `require` (see `Login.acr`). */
  acr_values: string[]
  /** Languages for the page (BCP 47), the preferred one first: at most 5 well-formed tags of `ui_locales`. */
  ui_locales: string[]
  /**
   * What the client believes the user to be called (`login_hint`): for the name field, which the user may change. It selects no user.
   * The client chooses the text, at most 320 characters: escape it. Null when there is none.
   */
  login_hint: string | null
  /** True: the client asks for the page of a new account (`prompt=create`). Absent otherwise, and where `signsUp` is. */
  creates_account?: true
  /** Opaque: the argument of `provider.loginPrompt()`, and the `return_to` of `provider.login()`. */
  return_to: string
  /**
   * Where the authorization response goes. The page's content security policy must not have `form-action`: Chromium applies it to every redirect that follows the form.
   */
  redirect_uri: string
  request: Request
}

/** A scope on a consent page. */
export interface ConsentScope {
  value: string
  /** What the scope allows, for users; null when no description is configured. */
  description: string | null
  /** `high`: sensitive, as `oidc.scopes` says. The page has to mark it, and not by a color alone. */
  severity: 'normal' | 'high'
}

/** What a consent page shows, and what its form must send. The client chooses the texts: escape them. */
export interface ConsentPrompt {
  realm: Realm
  client: Client
  user: Account
  /** The scopes to show, without the hidden ones. */
  scopes: ConsentScope[]
  /** True: the client keeps its access while the user is away (OpenID Connect Core §11). The page must say so. */
  offline_access: boolean
  /** The URIs of the resources that the request names. */
  resources: string[]
  /** The host of the client's `client_id` in ASCII, when that is the URL of its metadata; null for any other client. */
  client_host: string | null
  /** Who described the client: only what `operator` has described was checked by you. */
  client_origin: ClientOrigin
  /** True: every redirect URI leads to the user's own computer, where any program can pretend to be this client. */
  loopback_only: boolean
  /** The host (or custom scheme and host) that will receive the answer. */
  redirect_host: string
  redirect_uri: string
  /** Single use. Post it to `action` to approve; add `_method=DELETE` to deny. */
  auth_token: string
  action: string
  /** For a link to sign in as another user. */
  return_to: string
  /** As in `LoginPrompt`. */
  ui_locales: string[]
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
  /** As in `LoginPrompt`. */
  ui_locales: string[]
  request: Request
}

/** What the page after signing out needs to know. */
export interface SignedOutPrompt {
  realm: Realm
  /** The client that the sign-out request named; null when there is none, or it is unknown or revoked. */
  client: Client | null
  /** False: no user was signed in in this browser, so nothing has ended, and the page must not say that it has. */
  was_signed_in: boolean
  /** True: the request named an address to go to that is not registered for the client. The page says why the user stays. */
  redirect_refused: boolean
  /** As in `LoginPrompt`. */
  ui_locales: string[]
  request: Request
}

/** An error that users see, and for which a page may have its own text. */
export type ErrorKind =
  | 'expired'
  | 'answered'
  | 'unknown_client'
  | 'unregistered_redirect_uri'
  | 'foreign_request'

/** What an error page shows: the HTTP status to answer with, the error code of the protocol, and a sentence in ASCII. */
export interface ErrorPrompt {
  realm: Realm
  status: number
  code: string
  /** For developers, in English. */
  description: string
  /** Null for an error without a kind. */
  kind: ErrorKind | null
  /** Names the request on the page and in the log, such as `7F3A-2C1D`; null where the host gives requests no id. */
  reference: string | null
  /** As in `LoginPrompt`; empty when the failed request has no `ui_locales` in its query. */
  ui_locales: string[]
  request: Request
}

/** What the page for a user who may not use the client shows. The client chooses its texts: escape them. */
export interface RefusedPrompt
  extends Pick<ConsentPrompt, 'realm' | 'client' | 'user' | 'ui_locales' | 'request'> {
  rule: DeniedRule
  /** For `provider.cancel()`, or a sign-in as another user. Null for the code of a device: no request waits. */
  return_to: string | null
  /** As in `LoginPrompt`. */
  redirect_uri: string | null
  /** As in `ErrorPrompt`. */
  reference: string | null
}
