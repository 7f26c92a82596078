/** The paths of the pages, below the realm. Each is written here once. */

import type { Realm } from '@ostiary/core'

export const LOGIN_PATH = '/login'
export const ACCOUNT_PATH = '/account'
/** The realm itself, for a landing page. */
export const ROOT_PATH = '/'
export const STYLE_PATH = '/login/style.css'
/** The script of the passkeys. */
export const SCRIPT_PATH = '/login/passkey.js'
/** For password managers (W3C, A Well-Known URL for Changing Passwords). */
export const CHANGE_PASSWORD_PATH = '/.well-known/change-password'
/** For password managers (W3C, A Well-Known URL for Relying Party Passkey Endpoints). */
export const PASSKEY_ENDPOINTS_PATH = '/.well-known/passkey-endpoints'
/** The logo of a client, with `client_id` and `v` in the query. */
export const LOGO_PATH = '/login/client-logo'

/** The link of a ticket, with `t` in the query. */
export const TICKET_PATH = '/login/ticket'

/** The page that asks for a mail for a new password. */
export const FORGOT_PATH = '/login/recover'

/** The link of that mail, with `t` in the query. */
export const RESET_PATH = '/login/reset'

/** The pages of a recovery by mail, and their links. */
export const REGAIN_PATH = '/login/regain'

/** The page on which users sign up, and its link. */
export const SIGN_UP_PATH = '/login/signup'

/** The path at the realm's origin, for links and forms. */
export const pathIn = (realm: Realm, path: string): string => realm.path + path
/** Null where there is no account page. */
export const accountPath = (realm: Realm, has_account_page: boolean): string | null =>
  has_account_page ? pathIn(realm, ACCOUNT_PATH) : null

/** The absolute URL, for redirects. */
export const urlIn = (realm: Realm, path: string): string => realm.urls.issuer + path
