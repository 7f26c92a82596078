/** What the account page shows: filled by account/, rendered by the sections of pages/account.ts. */

import type { Claims, ConsentScope, Realm } from '@ostiary/core'
import type { NamedClient } from './client-name.js'
import type { Html } from './html.js'
import type { Times } from './time.js'

export type PasswordField = 'current_password' | 'new_password' | 'new_password_again'

/** What went wrong with a form, and beside which one to say so. */
export interface Problem {
  at: 'page' | 'password'
  status: number
  text: string
  /** The one that is wrong. */
  field?: PasswordField
  /** Seconds. */
  retry_after?: number
}

/** A problem of one form. */
export type FormProblem = Omit<Problem, 'at'>

export interface SessionView {
  sid: string
  current: boolean
  /** Epoch seconds. */
  since: number
  amr: string[]
  /** The first ones. */
  clients: NamedClient[]
  more_clients: number
}

export interface ClientView extends NamedClient {
  /** False: it may not ask for anything any more. */
  active: boolean
  access: AccessView[]
}

export interface AccessView {
  /** Null: the account here, no resource in particular. */
  resource: string | null
  /** How the form names it. */
  value: string
  scopes: ConsentScope[]
  /** When it was allowed, or since when the client has access without having asked. */
  since: number
  /** When it was allowed last, where that was later. */
  renewed: number | null
  /** False: the client has access, and no consent is stored. */
  consented: boolean
  /** True: the access goes on when the person does not use the client. */
  offline: boolean
}

export interface AccountView {
  realm: Realm
  username: string
  claims: Claims
  has_password: boolean
  sessions: SessionView[]
  more_sessions: number
  clients: ClientView[]
  more_clients: number
  csrf_token: string
  /** What the last form did, by name. */
  notice: string | null
  problem: Problem | null
  cookies: (string | null)[]
}

/** What the sections share. */
export interface SectionContext {
  view: AccountView
  times: Times
  /** The start of a form that does this. */
  form: (action: string) => Html
}
