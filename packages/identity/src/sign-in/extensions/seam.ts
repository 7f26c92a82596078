/** What another package adds to the pages, as this package knows it: `createUpstreams` of `@ostiary/upstream` makes one. */

import type { Management, Realm, Session } from '@ostiary/core'
import type { MessageKey } from '@ostiary/messages'
import type { AccountAction, PageEvent } from '../../events.js'
import type { AddressMail, Letter } from '../../outbox/letter.js'
import type { Html, HtmlValue } from '../../pages/html.js'
import type { LinkedItem } from '../../pages/recovery/decision.js'
import type { UserInput } from '../../users/manage-users.js'
import type { TicketStore } from '../../users/ticket-store.js'
import type { UserChanges } from '../../users/update-user.js'
import type { User, UserStore } from '../../users/user-store.js'

/** One of the option `extensions` of `createIdentity`. Each method that is absent does nothing. */
export interface Extension {
  /** Keeps apart what it seals, claims and counts: no other has this name. */
  name: string
  /** Those of a path below `/login/`; none where it is not one of its own. */
  methods?(realm: string, path: string): readonly string[]
  /** Answers a request to such a path. */
  answer?(c: Arrival): Promise<Response>
  /** For the sign-in page. @param fields The hidden fields of its forms. @param username For a field; null where the page has one. */
  buttons?(c: Visit, fields: Html, username: string | null): Html | null
  /** A button for the form of the name and the password, which it sends elsewhere. */
  typed?(c: Visit): Html | null
  /** The ways to sign in that it adds to the page, for operators. `name`: of another provider. */
  offers?(realm: string): readonly { way: string; name: string | null }[]
  /** Of these, the one to which a typed name leads. */
  leadsTo?(realm: string, username: string): string | null
  /** Where a typed name leads: the same for known and unknown names. Null: the password is asked for. */
  begin?(c: Visit, typed: { username: string; return_to: string }): Promise<Response> | null
  /** Whether a user of this name and address signs in there in place of a password: none is accepted, set or mailed about. */
  replacesPassword?(realm: string, user: Pick<User, 'username' | 'claims'>): boolean
  /** What stands for a username. Null where the realm has nothing. */
  names?(realm: string): OtherNames | null
  /** A section of the account page. Null where the realm has none. */
  section?(c: UserVisit): Promise<ExtensionSection | null>
  /** The accounts of the user elsewhere: a recovery asks about each whether it stays. */
  linked?(c: Visit, user: User): Promise<LinkedAccount[]>
  /** For the page that asks for a proof. */
  proofs?(c: UserVisit): Promise<Html[]>
  /** Before the session of a sign-in begins: what comes in its place. Null: it begins. */
  interrupt?(c: Interruption): Promise<Response | null>
  /** For operators: when the account is deleted, as its user has asked for. Epoch seconds. */
  deletesAt?(realm: string, user: User): Promise<number | null>
  /** A form of the account page. Null for one that it does not know. */
  act?(c: AccountVisit, action: string, params: URLSearchParams): Promise<Response | null>
}

/** Names that users type in place of the username. */
export interface OtherNames {
  /** Of the field for the name. @param text That of the username alone. */
  label(text: string): string
  /** @param key As of `usernameKey`. Null for none or several users. Every key takes as long. */
  find(key: string): Promise<User | null>
}

/** An account elsewhere with which a user signs in. */
export interface LinkedAccount extends LinkedItem {
  /** Removes it, after which the version is one more. False when the user has another `credential_version`. */
  remove(credential_version: number): Promise<boolean>
}

/** On the account page. */
export interface ExtensionSection {
  html: Html
  /** Before the password when absent. */
  place?: 'end'
  /** Of the user's accounts elsewhere. `never` when absent. */
  signs_in?: LinksSignIn
}

/**
 * How accounts elsewhere sign a user in: `alone`; `with_factor` of this server, as the settings of the provider ask for; `without_factor`:
 * alone while the account has none.
 */
export type LinksSignIn = 'alone' | 'with_factor' | 'without_factor' | 'never'

/** A request, and what its page is made with. */
export interface Visit {
  realm: Realm
  request: Request
  /** BCP 47. */
  language: { tag: string }
  /** The name of the provider. */
  provider: string
  /** Whether the user signs in at another provider in place of a password, and of what is no more than one. */
  isElsewhere(user: Pick<User, 'username' | 'claims'>): boolean
  /** The user whom a typed name names. @param key As of `usernameKey`. */
  findTyped(key: string | null): Promise<User | null>
  /** Of the page's language, without parameters. */
  text(key: MessageKey): string
  address: string | null
  /** Claims `address` without being a trusted proxy. */
  peer: string | null
  users: UserStore
  /** As `createUser`. Null where it throws a UserError. */
  createUser(input: UserInput): Promise<User | null>
  /** As `updateUser`. False for no such user, and where it throws a UserError. */
  updateUser(sub: string, change: (stored: User) => UserChanges): Promise<boolean>
  /** Null where the realm mails nothing. */
  mails: Mails | null
  /** Epoch seconds. */
  now(): number
  emit(event: PageEvent): void
  /** Escapes its values. */
  html(template: TemplateStringsArray, ...values: HtmlValue[]): Html
  /** A cookie of the realm, whose values have this shape. `max_age` is in seconds. */
  cookie(
    name: string,
    shape: RegExp,
  ): { read(): string | null; write(value: string, max_age: number): string }
  /** For this realm: as base64url. */
  seal(value: unknown): string
  /** Null for a text that it has not sealed. */
  open(text: string): unknown
  /** True for the first caller with this key, until `expires_at` (epoch seconds). */
  claim(key: string, expires_at: number): Promise<boolean>
  /** Counts one more for each name within the window, unless it is full for one. The seconds to wait then; null otherwise. */
  count(limits: readonly { name: string; maximum: number }[], window: number): Promise<number | null>
  page(page: {
    title: string
    body: Html
    status: number
    cookies?: string[]
    /** Where the form of the page leads. */
    form_leads_to?: 'client' | 'self'
  }): Response
  redirect(location: string, cookies?: string[]): Response
}

/** The mails and the links of a realm. */
export interface Mails {
  tickets: TicketStore
  /** Of a ticket of the user. */
  hash(sub: string, secret: string): string
  /** Queues a mail to any address. False when a limit is reached. */
  send(mail: AddressMail): Promise<boolean>
}

/** A request to a page that another package has here. */
export interface PageVisit extends Visit {
  form(): Promise<URLSearchParams | Response>
  /** Of its forms. */
  csrf_token: string
  csrf_cookie: string | null
  isConfirmed(token: string): boolean
}

/** A request to one of its own paths. */
export interface Arrival extends PageVisit {
  /** Below the realm. */
  path: string
  /** The sign-in whose page has sent this form. A page about the fault otherwise. */
  posted(): Promise<SignInVisit | Response>
  /** The sign-in that waits. A page otherwise. */
  waiting(return_to: string): Promise<SignInVisit | Response>
  /** Of all users. */
  sessions(): Promise<Management['sessions']>
  /** Ends all sessions and grants of a user. */
  endAccess(sub: string): Promise<void>
  /** Null: this browser has no session. */
  account(): Promise<AccountVisit | null>
}

/** A request of a sign-in that goes on. */
export interface SignInVisit extends Visit {
  return_to: string
  login_hint: string | null
  client_id: string | null
  /** Whether the realm has factors. */
  has_factors: boolean
  /** The hidden fields of its forms. */
  fields: Html
  csrf_cookie: string | null
  /** Where a typed name leads; null for no other provider. */
  elsewhere(username: string): Promise<Response> | null
  /** Queues the mail. False when a limit is reached: the page does not show it. */
  send(mail: CodeMail): Promise<boolean>
  /** Whether the account has a factor and no password: less than the factor would be a way around it. */
  needsFactor(user: User): Promise<boolean>
  /** The session, or the next step. */
  finish(proved: FinishedSignIn): Promise<Response>
  /** The session, after an interruption: nothing more is proved. */
  proceed(proved: Pick<Interruption, 'user' | 'proofs'> & { cookies: string[] }): Promise<Response>
  /** Back to the client, which gets `access_denied`. A page where none waits. */
  cancel(cookies: string[]): Promise<Response>
}

/** A sign-in whose session would begin now. */
export interface Interruption extends Visit {
  user: User
  return_to: string
  /** For `proceed`. */
  proofs: unknown
}

/** A mail to the verified address of an account. The delivery drops that to an account without one. */
export interface CodeMail {
  /** The key of the username of the account, or of what was typed. */
  to: string
  /** The account with this name. */
  user: User | null
  letter: Letter
  /** Epoch seconds. */
  expires_at: number
}

interface FinishedSignIn {
  user: User
  /** Whether a factor of this server is asked for too. */
  second_factor: boolean
  /** `claim` is called with each of them, a space and the `sid` of the session, until the session ends. */
  marks: readonly string[]
  /** The browser is a known device of the account from now on, unless another step follows. */
  known_device?: boolean
  cookies: string[]
}

/** A request by a signed-in user. */
export interface UserVisit extends Visit {
  user: User
  session: Session
  /** Of a form of the account page. */
  target(action: string, fields: Record<string, string>): { action: string; fields: Html }
}

/** A request to the account page. */
export interface AccountVisit extends UserVisit {
  /** Goes on with the cookies after a fresh proof; otherwise the page that asks for it. Null: the user has to sign in again. */
  fresh(params: URLSearchParams, form: AccountForm): Promise<Response | { cookies: string[] } | null>
  refuse(action: AccountForm['action'], refusal: AccountProblem): Promise<Response>
  done(notice: 'factor_added' | 'factor_removed' | 'factor_gone', cookies?: string[]): Response
  /** The user has given a proof elsewhere. */
  confirmed(user: User, cookies: string[]): Promise<Response>
  /** Whether the user can sign in with the accounts elsewhere that are `left`. */
  canSignIn(left: LinksSignIn): Promise<boolean>
}

interface AccountForm {
  action: AccountAction
  fields: Record<string, string>
}

interface AccountProblem {
  reason: 'not_fresh' | 'last_way_in' | 'changed_meanwhile' | 'bad_address' | 'throttled'
  status: number
  text: string
  cookies?: string[]
}
