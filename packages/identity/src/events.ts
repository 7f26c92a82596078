/** What happened, for logs and alerts. The person sees one sentence, whatever the reason. */

/** Which limit is meant; `session` and `device` are the budgets of those that have proved something before. */
export type LoginLimit = 'site' | 'address' | 'account_and_address' | 'account' | 'device' | 'session'

/** Why a sign-in was refused. It is for the operator, never for the person. */
export type LoginRefusal =
  | 'unknown_user'
  | 'disabled'
  | 'no_password'
  | 'wrong_password'
  | 'throttled'
  | 'busy'
  | 'csrf'

/** What a form of the account page asks for. */
export type AccountAction = 'change_password' | 'end_session' | 'end_others' | 'withdraw'
/** Why a form of the account page was turned away. It is for the operator, never for the person. */
export type AccountRefusal = 'wrong_password' | 'throttled' | 'busy' | 'csrf' | 'changed_meanwhile'

/** What matters for security at the built-in pages (docs/events.md). Never a password. */
export type IdentityEvent = {
  /** Epoch seconds. */
  time: number
  realm: string
} & (
  | {
      type: 'login.refused'
      reason: LoginRefusal
      /** Which limit was reached, where the reason is `throttled`. */
      limit?: LoginLimit
      /** Null: for the account page. */
      client_id: string | null
      /** Of the account that the username names, as far as it was looked up. */
      sub: string | null
      address: string | null
    }
  | { type: 'account.password_changed'; sub: string; sid: string; address: string | null }
  | {
      type: 'account.refused'
      reason: AccountRefusal
      /** Which limit was reached, where the reason is `throttled`. */
      limit?: LoginLimit
      /** What the form would have done, or null when that was not looked at. */
      action: AccountAction | null
      sub: string
      address: string | null
    }
  | { type: 'server.error'; cause: unknown }
)

/** What a page says; time, realm and address are filled in. */
export type PageEvent = IdentityEvent extends infer E
  ? E extends { address: string | null }
    ? Omit<E, 'time' | 'realm' | 'address'>
    : never
  : never

/** Told of each event as it happens. What it throws is dropped. */
export type IdentityEventSink = (event: IdentityEvent) => void | Promise<void>

/** Fail-open: a sink that throws must not turn an answer into an error. */
export function deliver(sink: IdentityEventSink | undefined, event: IdentityEvent): void {
  try {
    const pending = sink?.(event)
    if (pending) pending.catch(() => {})
  } catch {
    // An event that nobody could take is lost; the request goes on.
  }
}
