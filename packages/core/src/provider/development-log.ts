/** A log for development: each refusal as one readable line, with what to do. It prints no secret, code or token. */

import { SealedKeyError } from '../http/errors.js'
import { hintOfEvent } from '../refusals/hints.js'

/** What the log reads of an event of the provider or of the built-in pages. */
export interface LoggedEvent {
  type: string
  route?: string | null
  client_id?: string | null
  error?: string
  reason?: string
  description?: string
  sent?: string | null
  hint?: string | null
  used_method?: string | null
  registered_methods?: readonly string[] | null
  cause?: unknown
}

/**
 * A sink for `on_event` that prints refusals and failures as lines with a remedy, and nothing else: the default where the issuer is
 * plain http, for development on this machine.
 * @param write Called with each line; `console.warn` when absent.
 */
export function developmentLog(
  write: (line: string) => void = (line) => console.warn(line),
): (event: LoggedEvent) => void {
  return (event) => {
    const line = lineOf(event)
    if (line !== null) write(line)
  }
}

/** Where it happened, for events without a route. */
const PLACES: Readonly<Record<string, string>> = {
  'authorization.refused': 'authorization',
  'bearer.refused': 'bearer token',
  'client.authentication_failed': 'authentication',
  'login.refused': 'sign-in',
  'account.refused': 'account page',
}

/** Another reason may be a text that the client chose, such as a secret in the wrong place. */
const CODE = /^\w{1,64}$/

/** The end of a type. Other events can have a reason too: `session.ended` has it, and a sign-out is no failure. */
const OUTCOME = /[._](refused|failed)$/

/** A client's failed authentication is reported with its client_id; `request.refused` follows, and would repeat it. */
function lineOf(event: LoggedEvent): string | null {
  const { type, route, client_id, error, reason } = event
  if (type === 'server.error') return `[ostiary] ${route ?? 'server'} failed: ${causeText(event.cause)}`
  const [end, outcome] = OUTCOME.exec(type) ?? []
  if (reason === undefined || end === undefined || (type === 'request.refused' && error === 'invalid_client'))
    return null
  const by = typeof client_id === 'string' ? ` of client ${JSON.stringify(client_id)}` : ''
  const asked = route ?? PLACES[type]
  const what = asked === undefined ? `${type.slice(0, -end.length)}${by} ${outcome}` : `${asked}${by} refused`
  const codes = [...new Set([error, reason])]
    .filter((code) => code !== undefined && CODE.test(code))
    .join(', ')
  const remedy = event.hint ?? hintOfEvent(event) ?? event.description ?? 'The response says more.'
  return `[ostiary] ${what}: ${codes}. ${remedy}${detailsOf(event)}`
}

/** The values to compare. */
function detailsOf({ reason, sent, used_method, registered_methods }: LoggedEvent): string {
  const methods =
    reason === 'wrong_method' && registered_methods
      ? ` Used: ${used_method}; registered: ${registered_methods.join(', ')}.`
      : ''
  return typeof sent === 'string' ? `${methods} Sent: ${sent}.` : methods
}

/** The message of a `SealedKeyError` says what to do: where it was thrown says nothing more. */
const causeText = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return cause instanceof SealedKeyError
    ? `${cause.message}.`
    : (cause.stack ?? `${cause.name}: ${cause.message}`)
}
