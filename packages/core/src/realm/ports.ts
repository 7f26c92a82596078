/** The interfaces that the application implements: accounts, claims, pages and policies. */

import type { Client, ClientOrigin, LoginReason, Session } from '../storage/storage.js'
import type { DeniedRule } from './access-ports.js'
import type { Account, Claims } from './account.js'
import type { ClaimsTarget } from './claim-targets.js'
import type { Realm } from './realm.js'

export type * from './access-ports.js'
export type * from './account.js'
export type * from './document-ports.js'
export type * from './exchange-ports.js'

/**
 * Returns the claims about a user for an ID token, UserInfo or an access token: look at the target, since an access token is read by its API. The default, `standardClaims`, returns the standard claims of the scopes (OpenID Connect Core §5.4), and
 * none for an access token. The claims of `oidc.claims` are added where absent. `sub` and what else the provider sets is ignored.
 */
export type ClaimsResolver = (
  account: Account,
  scopes: readonly string[],
  target: ClaimsTarget,
) => Claims | Promise<Claims>

/** The user and the scopes that claims are for. */
export interface ClaimsSubject {
  user: Account
  scopes: readonly string[]
  /** The URI of the resource that was granted, or the issuer: it owns the scopes that the realm does not own. */
  audience: string
}

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

/** The page that asks whether to connect a device. The client chooses its texts: escape them. */
export interface DeviceConfirmation {
  page: 'confirm'
  client: Client
  user: Account
  /** The page has to ask the user to compare it with the one that the device shows. */
  user_code: string
  /** The scopes to show: of a client without authentication the hidden ones too. */
  scopes: ConsentScope[]
  /** The URIs of the resources that the request names. */
  resources: string[]
  /** True: the client does not authenticate, so that any program can ask in its name. */
  any_program: boolean
  /** When the device has asked, in epoch seconds. */
  requested_at: number
  /** The IP address from which it has asked; null when it is not known. */
  address: string | null
  /** True: that is not the address of this browser. The page has to say so. */
  is_other_address: boolean
  /** Seconds. The client keeps its access for so long at most, also after the user signs out. The page has to say so. */
  max_lifetime: number
  /** Single use. Post it to `action` as `confirmation_token`, with `answer` `allow` or `refuse`. */
  confirmation_token: string
}

/** A page of the device authorization grant (RFC 8628 §3.3). */
export type DevicePage =
  | {
      /** Asks for the code that the device shows: a POST to `action`, with `user_code`. */
      page: 'code'
      /** For the field, such as `WDJB-MJHT`; null for an empty one. */
      user_code: string | null
      /** Why it asks again: the code is not valid, or the page of the question not any more. */
      problem: 'unknown' | 'expired' | null
    }
  /** Nobody is signed in: sign the user in, with this `return_to` for `provider.login()`. */
  | { page: 'sign_in'; return_to: { path: string } }
  | DeviceConfirmation
  /** The user has answered. */
  | { page: 'approved' | 'refused'; client: Client }

/** What a page of the device authorization grant shows, and where its form goes. */
export type DevicePrompt = DevicePage & {
  realm: Realm
  action: string
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

/**
 * The pages of the application, and what its sign-in can prove. Each page is a function that gets a prompt and returns the page, or
 * a redirect to it.
 */
export interface Interactions {
  /** Renders the login page or redirects to it. */
  login(prompt: LoginPrompt): Promise<Response>
  /** The consent page. Without it, a request that needs consent throws MissingViewError. */
  consent?(prompt: ConsentPrompt): Promise<Response>
  /** The page that asks whether to sign out; a built-in page when absent. */
  logout?(prompt: LogoutPrompt): Promise<Response>
  /** The page after signing out, when the client has named no redirect URI; a built-in page when absent. */
  signedOut?(prompt: SignedOutPrompt): Promise<Response>
  /**
   * The pages of the device authorization grant; built-in ones when absent, which cannot sign a user in. On the page that asks, give
   * no answer a default: neither button comes first, and none has the focus.
   */
  device?(prompt: DevicePrompt): Promise<Response>
  /** The page for a signed-in user who may not use the client; when absent, the client gets `access_denied` at once. */
  refused?(prompt: RefusedPrompt): Promise<Response>
  /**
   * The values of `oidc.acr_values_supported` that a sign-in of the realm can reach; all of them when absent. Where
   * `oidc.acr` is `require`, a request that needs another one is refused before any login, and discovery does not advertise it. It
   * must not change while the provider runs.
   */
  reachableAcr?(realm: Realm): readonly string[]
  /** The same for one account. Asked when the user is known and the session is too weak; `reachableAcr` when absent. */
  reachableAcrOf?(user: Account, realm: Realm): Promise<readonly string[]>
  /**
   * Whether users of the realm sign up by themselves; no when absent. Then `prompt=create` is accepted, and discovery names it
   * (OpenID Connect Initiating User Registration 1.0). It must not change while the provider runs.
   */
  signsUp?(realm: Realm): boolean
  /** The error page for browsers, for example when a link has expired; JSON when absent. */
  error?(prompt: ErrorPrompt): Promise<Response>
}

/** The result of the application's authentication of a user. */
export interface Login {
  sub: string
  /** The name that the user signs in with, from your records: the event of the session has it. At most 255 characters are kept. */
  username?: string
  /** RFC 8176 values, e.g. `['pwd']`. */
  amr: string[]
  /**
   * When absent, one of `oidc.acr_values_supported`: the second one for two or more methods in this `amr`, otherwise the first.
   */
  acr?: string
  /** When the user authenticated, epoch seconds. Now when absent; null when unknown (a remembered login). */
  auth_time?: number | null
  /**
   * The `return_to` of the login prompt. For a login without an authorization request, a page of the application: a path
   * below the realm, such as `/account`. A path that leads out of the realm is refused, and no session is started.
   */
  return_to: string | { path: string }
  /**
   * Called when the session is stored; false ends it, and the answer is that of an expired request. It closes a race with a password
   * change: this function sees the change, or the change finds the session and ends it.
   * @param session The record for `Accounts.find`.
   */
  still_valid?: (session: Session) => Promise<boolean>
}
