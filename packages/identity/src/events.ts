/** What happened, for logs and alerts. The person sees one sentence, whatever the reason. */

export type LoginRefusal =
  | 'unknown_user'
  | 'disabled'
  | 'no_password'
  | 'wrong_password'
  | 'throttled'
  | 'busy'
  | 'csrf'

export type IdentityEvent = {
  /** Epoch seconds. */
  time: number
  realm: string
} & (
  | {
      type: 'login.refused'
      reason: LoginRefusal
      client_id: string
      /** Of the account that the username names, as far as it was looked up. */
      sub: string | null
      address: string | null
    }
  | { type: 'server.error'; cause: unknown }
)

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
