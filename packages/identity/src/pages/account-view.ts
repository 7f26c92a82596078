/** The data of the account page: account/ fills it, account.ts and its sections render it. */

import type { Claims, ConsentScope, Realm } from '@ostiary/core'
import type { FactorKind } from '../users/factor-store.js'
import type { NamedClient } from './client-name.js'
import type { Html } from './html.js'
import type { Language } from './language.js'
import type { TimeFormats } from './time.js'

export type PasswordField = 'current_password' | 'new_password' | 'new_password_again'

/** What the page reports once, after the redirect that answers a form. */
export const NOTICES = [
  'password',
  'password_set',
  'password_removed',
  'session',
  'session_gone',
  'others',
  'withdrawn',
  'withdrawn_before',
  'access_ended',
  'confirmed',
  'factor_added',
  'factor_removed',
  'factor_renamed',
  'factor_gone',
  'too_many_factors',
  'second_step_on',
  'second_step_off',
  'device_forgotten',
] as const
export type Notice = (typeof NOTICES)[number]

/** Why a form was refused, and where the page says so. */
export interface Problem {
  at: 'page' | 'password' | 'ways'
  status: number
  text: string
  /** The field that the problem is about. */
  field?: PasswordField
  /** In seconds. */
  retry_after?: number
}

/** The same for a page with one form. */
export type FormProblem = Omit<Problem, 'at'>

export interface SessionView {
  sid: string
  current: boolean
  /** The time of the sign-in, in epoch seconds. */
  since: number
  /** The last use by its browser, in epoch seconds, to 15 minutes. */
  last_used: number
  /** The browser's header of the sign-in. */
  user_agent: string | null
  amr: string[]
  /** The first clients of the session; `more_clients` counts the others. */
  clients: NamedClient[]
  more_clients: number
}

export interface ClientView extends NamedClient {
  /** False when the client has been revoked or removed. */
  active: boolean
  access: AccessView[]
}

/** The access of a client to one resource. */
export interface AccessView {
  /** Null for the realm itself. */
  resource: string | null
  /** The resource in the form. */
  value: string
  scopes: ConsentScope[]
  /** When the user gave the consent; without one, when the client first got access. Epoch seconds. */
  since: number
  /** When the consent was last renewed, in epoch seconds; null when it was not. */
  renewed: number | null
  /** False when the client has access without a stored consent. */
  consented: boolean
  /** True when the client has `offline_access`. */
  offline: boolean
  grants: GrantView[]
}

interface GrantView {
  /** Epoch seconds. */
  since: number
  /** False: it belongs to no session. */
  in_session: boolean
}

/** A factor in the list. */
export interface FactorView {
  factor_id: string
  kind: 'passkey' | 'totp'
  label: string
  /** Of a passkey: whether a password manager has it too. Null for an app. */
  synced: boolean | null
  /** Epoch seconds. */
  created_at: number
  last_used_at: number | null
}

/** A static method of `PublicKeyCredential`, and its options as JSON. */
export interface PasskeySignal {
  method: 'signalAllAcceptedCredentials' | 'signalCurrentUserDetails'
  options: string
}

/** The ways to sign in, beside the password. */
export interface WaysView {
  factors: FactorView[]
  /** Whether a sign-in with the password asks for nothing more. */
  password_is_enough: boolean
  /** Whether a sign-in with an account elsewhere asks for nothing more. */
  link_is_enough: boolean
  /** Those of the factors that are passkeys and work here. */
  passkeys: FactorView[]
  /** The number of recovery codes that are left; null when the account has no set. */
  codes_left: number | null
  /** The kinds that can be added; none while the first one needs a link of an operator. */
  kinds: FactorKind[]
  /** The user's own switch; null when the account has no second factor. */
  second_step: boolean | null
  /** For browsers with passkeys of the account. */
  signals: readonly PasskeySignal[]
}

/** A browser that leaves out the second step. */
interface RememberedView {
  device_id: string
  /** Empty when neither the browser nor its system is known. */
  label: string
  /** Epoch seconds. */
  expires_at: number
}

/** What a user may do beside changing the password. */
/** What a form for a new password shows. */
export interface NewPasswordView {
  /** In characters. */
  min_length: number
  /** Whether a button shows what was typed. */
  can_show: boolean
}

export interface PasswordChoice extends NewPasswordView {
  /** An account without a password gets one. */
  may_set: boolean
  may_remove: boolean
}

export interface AccountView {
  realm: Realm
  /** Null where the application stores no factors. */
  ways: WaysView | null
  /** A recovery that waits. */
  banner?: Html | null
  /** Of extensions. */
  sections?: readonly Html[]
  /** The others of extensions. */
  at_end?: readonly Html[]
  /** Whether one of them is of accounts elsewhere. */
  has_links?: boolean
  remembered: readonly RememberedView[]
  username: string
  claims: Claims
  has_password: boolean
  /** Null where the realm has no passwords. */
  passwords: PasswordChoice | null
  sessions: SessionView[]
  more_sessions: number
  clients: ClientView[]
  more_clients: number
  csrf_token: string
  notice: Notice | null
  problem: Problem | null
  cookies: (string | null)[]
}

/** The context of each section of the page. */
export interface SectionContext {
  view: AccountView
  language: Language
  times: TimeFormats
  /** The opening tag and the hidden fields of a form for this action. */
  form: (action: string) => Html
}
