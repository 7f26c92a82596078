/** Events for logs and alerts. The reasons in them are for operators: the pages do not show them. */

/** The name of a limit of failed sign-ins. A live session and a known device each have a separate limit. */
export type LoginLimitName =
  | 'peer'
  | 'site'
  | 'address'
  | 'account_and_address'
  | 'account'
  | 'device'
  | 'session'
  | CodeLimitName

/**
 * The name of a limit of wrong codes of a second step: of an account, in 300 seconds and in a day. A known device has limits of its own.
 */
export type CodeLimitName = 'code' | 'code_day' | 'code_device' | 'code_device_day'

/** Why a sign-in was refused. */
export type LoginRefusal =
  | 'unknown_user'
  | 'disabled'
  | 'no_password'
  | 'wrong_password'
  | 'throttled'
  | 'busy'
  | 'csrf'
  // The authorization request has expired, or was answered: there is nothing to sign in for.
  | 'stale_request'
  // A reason of `@ostiary/upstream`.
  | `upstream_${string}`
  | FactorRefusal

/** Why a factor was refused, beside the limits. */
export type FactorRefusal = 'wrong_code' | 'code_reused' | PasskeyRefusal

/** Why a passkey was refused: the check of WebAuthn Level 3 §7.2 that failed. */
type PasskeyRefusal =
  | 'passkey_unknown'
  | 'passkey_malformed'
  | 'passkey_type'
  | 'passkey_challenge'
  | 'passkey_origin'
  | 'passkey_rp_id'
  | 'passkey_algorithm'
  | 'passkey_key'
  | 'passkey_signature'
  | 'passkey_counter'
  | 'passkey_user'
  | 'passkey_backup'
  | 'user_presence'
  | 'user_verification'

/** The action of a form of the account page. */
export type AccountAction =
  | 'change_password'
  | 'end_session'
  | 'end_others'
  | 'withdraw'
  | 'open_password'
  | 'set_password'
  | 'remove_password'
  | 'enrol'
  | 'enrolled'
  | 'remove_factor'
  | 'rename_factor'
  | 'new_codes'
  | 'second_step'
  | 'forget_device'
  | 'link'
  | 'unlink'
  | 'change_address'
  | 'verify_address'
  | 'delete_account'

/** What a user has beside the password: a passkey, an authenticator app (RFC 6238), a set of recovery codes. */
export type FactorKind = 'passkey' | 'totp' | 'recovery'
/** Why a form of the account page was refused. */
export type AccountRefusal =
  | 'wrong_password'
  | 'throttled'
  | 'busy'
  | 'csrf'
  | 'changed_meanwhile'
  | 'last_way_in'
  | 'not_fresh'
  | 'bad_address'
  | `upstream_${string}`
  | FactorRefusal

/** Why a link of an operator or of a mail, or a form after it, was refused. `changed_meanwhile`: the account was changed, disabled or deleted since. */
export type RecoveryRefusal = 'unknown_ticket' | 'expired_ticket' | 'changed_meanwhile' | 'csrf'

/** The link in its mails, a session of the user, or another recovery. */
type RecoveryEnd = 'not_me' | 'session' | 'newer'

/** The name of a limit of mails in an hour. */
export type MailLimitName =
  | 'mail_peer'
  | 'mail_site'
  | 'mail_address'
  | 'mail_account'
  | 'mail_device'
  | 'mail_realm'

/** What a mail is about: a forgotten password, a change of the account, an invitation, a sign-up, a code, a waiting recovery, or an address. */
type MailKind = 'reset' | 'notice' | 'invite' | 'sign_up' | 'code' | 'recovery' | 'address'

/** Why a mail has no receiver, beside the reasons of the mail server (`MailError`). */
export type MailRefusal =
  | 'unknown_user'
  | 'disabled'
  | 'no_verified_email'
  | 'no_realm'
  | 'other_secret'
  | 'expired'
  | 'invited'
  | 'elsewhere'
  | 'changed_meanwhile'

/** Why the rules of the application refuse a new password. */
export type PasswordRefusal = 'few_characters' | 'own_name' | 'common' | 'compromised'

/** A security event of the built-in pages (docs/events.md). It never contains a password. */
export type IdentityEvent = {
  /** Epoch seconds. */
  time: number
  realm: string
  /** Of the request that caused the event (`RequestInfo.request_id`). */
  request_id?: string
} & (
  | {
      type: 'login.refused'
      reason: LoginRefusal
      /** The limit that was reached, when the reason is `throttled`. */
      limit?: LoginLimitName
      /** Null when the sign-in is for the account page. */
      client_id: string | null
      /** The id of the other provider, where the user signs in at one. */
      upstream?: string
      /** What to do, of a reason of `@ostiary/upstream`. */
      hint?: string
      /** The user with this username; null when there is none, or it was not looked up. */
      sub: string | null
      address: string | null
    }
  | {
      type: 'account.password_changed' | 'account.password_set' | 'account.password_removed'
      sub: string
      sid: string
      address: string | null
    }
  | {
      type:
        | 'account.deletion_withdrawn'
        | 'recovery_codes.created'
        | 'recovery.password_set'
        | 'recovery.completed'
        | 'invitation.used'
      sub: string
      address: string | null
    }
  /** The account is deleted at `due_at` (epoch seconds). */
  | { type: 'account.deletion_requested'; sub: string; due_at: number; address: string | null }
  | {
      type: 'account.refused'
      reason: AccountRefusal
      /** The limit that was reached, when the reason is `throttled`. */
      limit?: LoginLimitName
      /** The action of the form; null when it was refused before the action was read. */
      action: AccountAction | null
      hint?: string
      sub: string
      address: string | null
    }
  | {
      type: 'factor.added' | 'factor.removed' | 'factor.renamed'
      kind: FactorKind
      sub: string
      address: string | null
    }
  /** An account at another provider with which the user signs in from now on, or not any more. */
  | { type: 'link.added' | 'link.removed'; upstream: string; sub: string; address: string | null }
  /** The first sign-in at another provider has made an account; or the claim of groups there was too long, and has changed nothing. */
  | { type: 'user.signed_up' | 'groups.ignored'; upstream: string; sub: string; address: string | null }
  /** `copied`: a secret came that was used before. The device has ended. */
  | {
      type: 'remembered_device.added' | 'remembered_device.removed' | 'remembered_device.copied'
      sub: string
      address: string | null
    }
  | { type: 'recovery_codes.used'; sub: string; left: number; address: string | null }
  /**
   * A recovery has begun: what the account had given has ended, and its user chooses how to sign in. `by` is absent for an operator's link.
   */
  | { type: 'recovery.started'; sub: string; by?: 'code' | 'delay'; address: string | null }
  /** A recovery that waited has ended. */
  | {
      type: 'recovery.cancelled'
      reason: RecoveryEnd
      sub: string
      address: string | null
    }
  | { type: 'invitation.created'; sub: string; mailed: boolean }
  | {
      type: 'recovery.refused'
      reason: RecoveryRefusal | FactorRefusal | 'throttled' | 'busy'
      /** Null for an unknown ticket. */
      sub: string | null
      limit?: LoginLimitName
      address: string | null
    }
  /**
   * A mail for a new password was asked for. `sub` is null when there is no such account: then none is sent. With `until`, in epoch seconds:
   * a recovery waits, and begins after that.
   */
  | { type: 'recovery.requested'; sub: string | null; until?: number; address: string | null }
  /** A change of the email address was asked for, ended by its user, made, or undone from the former address. */
  | {
      type:
        | 'address.requested'
        | 'address.removed'
        | 'address.added'
        | 'address.changed'
        | 'address.verified'
        | 'address.undone'
      sub: string
      address: string | null
    }
  /** A link of a change of address was refused. */
  | {
      type: 'address.refused'
      reason: RecoveryRefusal | 'other_user' | 'name_taken'
      /** Null for an unknown link. */
      sub: string | null
      address: string | null
    }
  /** A mail for a new account was asked for: nothing is looked up then. */
  | { type: 'signup.started'; address: string | null }
  /** Its link was used, and there is an account. */
  | { type: 'signup.completed'; sub: string; address: string | null }
  /** A form of a stranger, by the option `abuse`: it has refused it, has failed with `cause`, or has not answered. */
  | {
      type: 'abuse.refused'
      action: 'sign_up' | 'forgot'
      answer: 'refuse' | 'error' | 'timeout'
      cause?: unknown
      address: string | null
    }
  /** Before a sign-in went on. */
  | { type: 'terms.accepted'; version: string; sub: string; address: string | null }
  /** The password was set with the link of a mail: what the account had given has ended. */
  | { type: 'account.password_reset'; sub: string; address: string | null }
  /** A new password was refused by `password_rules`. */
  | { type: 'password.refused'; reason: PasswordRefusal; sub: string; address: string | null }
  /** A new password was accepted, although the service of the option `compromised` did not answer. */
  | { type: 'password.unchecked'; sub: string; address: string | null }
  /** A mail was not queued. The page does not show it. */
  | {
      type: 'mail.throttled'
      mail: MailKind
      limit: MailLimitName
      sub: string | null
      address: string | null
    }
  /** `attempts` is 1 for the first one. */
  | { type: 'mail.sent'; mail: MailKind; sub: string | null; attempts: number }
  | {
      type: 'mail.failed'
      /** Null when the mail cannot be read. */
      mail: MailKind | null
      sub: string | null
      attempts: number
      /** A `MailRefusal`, or the reason of the mail server, such as `smtp_550`. */
      reason: string
      /** Epoch seconds; null when the mail is given up. */
      next_attempt_at: number | null
    }
  /** The signature counter of a passkey went back. A passkey that is synced may do so; else the sign-in was refused. */
  | { type: 'passkey.counter'; sub: string; address: string | null }
  | { type: 'server.error'; cause: unknown }
)

/** An event as a page reports it; `time`, `realm`, `address` and `request_id` are added later. */
export type PageEvent = IdentityEvent extends infer E
  ? E extends { address: string | null }
    ? Omit<E, 'time' | 'realm' | 'address' | 'request_id'>
    : never
  : never

/** Called with each event. Its errors are ignored. */
export type IdentityEventSink = (event: IdentityEvent) => void | Promise<void>
