/** The interfaces that the application implements: accounts, claims, pages and policies. */

import type { FeaturePages } from '../features/types.js'
import type { Session } from '../storage/storage.js'
import type { Account, Claims } from './account.js'
import type { ClaimsTarget } from './claim-targets.js'
import type {
  ConsentPrompt,
  ErrorPrompt,
  LoginPrompt,
  LogoutPrompt,
  RefusedPrompt,
  SignedOutPrompt,
} from './prompts.js'
import type { Realm } from './realm.js'

export type * from './access-ports.js'
export type * from './account.js'
export type * from './document-ports.js'
export type * from './exchange-ports.js'
export type * from './prompts.js'

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

/**
 * The pages of the application, and what its sign-in can prove. Each page is a function that gets a prompt and returns the page, or
 * a redirect to it.
 */
export interface Interactions extends FeaturePages {
  /** Renders the login page or redirects to it. */
  login(prompt: LoginPrompt): Promise<Response>
  /** The consent page. Without it, a request that needs consent throws MissingViewError. */
  consent?(prompt: ConsentPrompt): Promise<Response>
  /** The page that asks whether to sign out; a built-in page when absent. */
  logout?(prompt: LogoutPrompt): Promise<Response>
  /** The page after signing out, when the client has named no redirect URI; a built-in page when absent. */
  signedOut?(prompt: SignedOutPrompt): Promise<Response>
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
