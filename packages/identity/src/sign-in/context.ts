/** The context of a request to one of the pages: the parts of `createIdentity`, and the request. */

import type { CallOrigin, Provider, Realm, RequestInfo, Throttle } from '@ostiary/core'
import type { FactorRefusal, LoginLimitName, PageEvent } from '../events.js'
import type { AddressMail } from '../outbox/letter.js'
import type { RealmMail } from '../outbox/mail-options.js'
import type { MailQueue } from '../outbox/mail-queue.js'
import type { PasskeySignal } from '../pages/account-view.js'
import type { ClientLogos } from '../pages/client-logos.js'
import type { Html } from '../pages/html.js'
import type { Languages } from '../pages/languages.js'
import type { Presentation } from '../pages/presentation.js'
import type { SignInSettings } from '../settings.js'
import type { Factor, FactorKind, FactorStore } from '../users/factor-store.js'
import type { PasswordRules } from '../users/password-rules.js'
import type { PasswordHasher } from '../users/passwords.js'
import type { RememberedDeviceStore } from '../users/remembered-device-store.js'
import type { TicketStore } from '../users/ticket-store.js'
import type { User, Users } from '../users/user-store.js'
import type { Csrf } from '../web/csrf.js'
import type { KeyedHash } from '../web/keyed-hash.js'
import type { Sealer } from '../web/sealed.js'
import type { AbuseCheck } from './abuse.js'
import type { Attempts } from './attempts.js'
import type { Devices } from './devices.js'
import type { Extension, Visit } from './extensions/seam.js'
import type { PendingSignIns } from './pending.js'
import type { SignInProof } from './proofs.js'
import type { RecoveryStates } from './recovery-state.js'
import type { MailRecovery } from './regain/seam.js'
import type { SignUp, SignUpMail } from './sign-up/seam.js'

/** The context where the realm offers factors. */
export type FactorContext = PageContext & { factors: FactorParts }

/** What the sign-in of a realm has beside passwords. */
export interface FactorParts {
  store: FactorStore
  settings: SignInSettings
  /** All kinds. Those that the realm does not offer have no `enrolment` and no `start`. */
  methods: readonly FactorMethod[]
  pending: PendingSignIns
  /** A set of recovery codes: its record, and the codes, which are shown once. */
  newRecoveryCodes(sub: string, now: number): { factor: Factor; codes: string[] }
  recoveryCodesLeft(set: Factor): number
  /** The passkeys among them that sign in to this realm: not those that were made for another relying party ID. */
  passkeysIn(factors: readonly Factor[]): Factor[]
  signals: PasskeySignals
  /** Null where no device is remembered. */
  remembered: RememberedParts | null
  /** True for the first caller with this id, until `expires_at` (epoch seconds). */
  claim(id: string, expires_at: number): Promise<boolean>
}

/** What a realm has that remembers devices. */
export interface RememberedParts {
  store: RememberedDeviceStore
  /** For how many days. */
  days: number
}

/** What the page of tickets has. */
export interface RecoveryParts {
  tickets: TicketStore
  states: RecoveryStates
  /** True for the first caller with this id, until `expires_at` (epoch seconds). */
  claim(id: string, expires_at: number): Promise<boolean>
}

/** What another package has that has pages here. */
export interface WayParts<Ways> extends Pick<Visit, 'seal' | 'open' | 'claim' | 'count'> {
  ways: Ways
}

export type ExtensionParts = WayParts<Extension>

/** What the sign-up has. */
export interface SignUpParts extends WayParts<SignUp> {
  /** Queues the mail, unless a limit is reached. */
  send(c: MailContext, mail: SignUpMail): Promise<boolean>
}

/** What the recovery by mail has. */
export type RegainParts = WayParts<MailRecovery>

/** A new user with a way to sign in. */
export interface FinishedSignUp {
  user: User
  proofs: [SignInProof, ...SignInProof[]]
  cookies: string[]
}

/** What a realm has that mails. */
export interface MailParts {
  queue: MailQueue
  settings: RealmMail
  sealer: Sealer
  throttle: Throttle
  hash: KeyedHash
  /** Starts sending what is due, without waiting for it. */
  start(): void
  /** Queues a mail to an address. False when a limit is reached. */
  sendTo(c: MailContext, mail: AddressMail): Promise<boolean>
}

/** The context of the pages that mail. */
export type MailContext = PageContext & { mail: MailParts }

/** The context of the page of tickets. */
export type RecoveryContext = PageContext & { recovery: RecoveryParts }

export interface PageContext extends Presentation {
  languages: Languages
  users: Users
  passwords: PasswordHasher
  /** Null: the length of a new password alone counts. */
  password_rules: PasswordRules | null
  attempts: Attempts
  devices: Devices
  csrf: Csrf
  logos: ClientLogos
  /** Null where the application checks no forms. */
  abuse: AbuseCheck | null
  /** Null where the application stores no factors. */
  factors: FactorParts | null
  /** Null where the application stores no tickets. */
  recovery: RecoveryParts | null
  extensions: readonly ExtensionParts[]
  /** The user whom a typed name names; null for a text that is none. @param key As of `usernameKey`. */
  findTyped(key: string | null): Promise<User | null>
  /** Null where users do not sign up. */
  sign_up: SignUpParts | null
  /** Null where users do not get in again by mail. */
  regain: RegainParts | null
  /** Null where the realm mails nothing. */
  mail: MailParts | null
  provider: Provider
  realm: Realm
  request: Request
  body: RequestInfo['body'] | undefined
  /** The client's IP address, or null. */
  address: string | null
  /** The peer that claims `address` without being a trusted proxy; null when the address is certain. */
  peer: string | null
  /** For the events of the calls to the provider. */
  origin: CallOrigin
  /** Whether the account page exists, so that a user may sign in without an authorization request. */
  has_account_page: boolean
  now: () => number
  emit(event: PageEvent): void
}

/** The account as it is stored when the page is made. */
interface StoredAccount {
  user: User
  factors: readonly Factor[]
}

export interface PasskeySignals {
  /** What the page after a removal needs, for a cookie; null for a factor that is no passkey. */
  removed(realm: Realm, factor: Factor): string | null
  /** After a removal: the passkeys that the browser may keep. Null for a text that was not made for this user. */
  accepted(realm: Realm, account: StoredAccount, text: string): PasskeySignal | null
  /** The names that the browser shows beside the passkeys: an operator may have changed them. Null without passkeys. */
  details(settings: SignInSettings, account: StoredAccount): PasskeySignal | null
}

// What a kind of factor is for the pages: one folder of factors/ each, listed in factors/parts.ts.

/** Where a form is posted. */
export interface FormTarget {
  /** The path. */
  action: string
  /** The hidden fields, with the CSRF token and what the form does. */
  fields: Html
  csrf_token: string
  /** What the CSRF token belongs to: a challenge of the form belongs to the same. */
  bound_to: string
}

/** An account that is asked for one of its factors. */
export interface Step {
  user: User
  /** All of the account. */
  factors: readonly Factor[]
  target: FormTarget
  /** The kind whose proof was refused: its field gets the focus, and the sentence with the id `error` describes it. */
  refused?: FactorKind | null
  /** The box with which the user leaves out this step in this browser from now on. */
  remember?: Html | null
}

/** Why a proof was refused. */
export interface RefusedProof {
  reason: FactorRefusal | 'throttled' | 'busy'
  /** A sentence for the user. */
  text: string
  status: 422 | 429 | 503
  limit?: LoginLimitName
  /** In seconds. */
  retry_after?: number
}

export type ProofAnswer = { proof: SignInProof } | RefusedProof

/** A factor that the user is adding. */
export interface Enrolment extends Step {
  /** The last try, which failed: a sentence about it, and what the form sent. */
  failed: { problem: string; params: URLSearchParams } | null
  /** In the place of the heading and of the first sentence. */
  intro?: { title: string; text: string }
}

export type EnrolmentAnswer = { factor: Factor; proof: SignInProof } | { problem: string }

export interface FactorMethod {
  kind: FactorKind
  offered(settings: SignInSettings): boolean
  /** The form that asks for this factor; null when the account has none. */
  form(c: FactorContext, step: Step): Html | null
  /** Checks what the form has sent. The factor is used up, or its state has changed, when the answer is a proof. */
  check(c: FactorContext, step: Step, params: URLSearchParams): Promise<ProofAnswer>
  /** How a user adds one. Null for what is added with the first of the others. */
  enrolment: {
    /** The body of the page. */
    page(c: FactorContext, enrolment: Enrolment): Promise<Html>
    /** Checks what the page has sent. Nothing is stored yet. */
    finish(c: FactorContext, enrolment: Step, params: URLSearchParams): Promise<EnrolmentAnswer>
  } | null
  /** How a user signs in with it alone, without a name. */
  start: {
    /** For the sign-in page. */
    /** @param alone There is no form for a password on the page. */
    form(c: FactorContext, target: FormTarget, alone: boolean): Html
    check(c: FactorContext, target: FormTarget, params: URLSearchParams): Promise<StartAnswer>
  } | null
}

type StartAnswer =
  | {
      user: User
      proof: SignInProof
      /** Claimed when the sign-in ends, until `expires_at` (epoch seconds). */
      once: { id: string; expires_at: number }
    }
  | (RefusedProof & { sub: string | null })
