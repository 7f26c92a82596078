/** What the events of a request say about its outcome. */

import type { OidcEvent } from '@ostiary/core'
import type { Place } from './place/place.js'
import { settingOf } from './reasons.js'

/** Why a request has this outcome. */
export interface Cause {
  /** Of the catalog of refusals, or why the user has to sign in; null for what goes on. */
  reason: string | null
  /** What to do about it. */
  hint: string | null
  /** The configuration key (`oidc.…`) or the field of the client (`client.…`) that decides; null where none does. */
  setting: string | null
}

/** A refused request. */
export interface Refusal extends Cause {
  result: 'refused'
  reason: string
  /** As the client gets it. */
  error: string
  /** Whether the client gets it, with a redirect; else the browser shows an error page. */
  redirects: boolean
}

type RefusedEvent = Extract<OidcEvent, { type: 'authorization.refused' | 'request.refused' }>

const isRefusal = (event: OidcEvent): event is RefusedEvent =>
  event.type === 'authorization.refused' || event.type === 'request.refused'

/** Null when nothing was refused. */
export function refusalOf({ events, realm }: Place): Refusal | null {
  const event = events.findLast(isRefusal)
  if (event === undefined) return null
  const { type, reason, error, hint } = event
  return {
    result: 'refused',
    reason,
    hint,
    setting: settingOf(reason, realm.policy.pushed),
    error,
    redirects: type === 'authorization.refused',
  }
}

const LOGIN_HINTS = {
  signed_out: 'Nobody is signed in, or the session has ended: the sign-in page is shown.',
  prompt: 'The request asks for a new sign-in with its parameter prompt.',
  max_age: 'The sign-in is longer ago than max_age of the request permits.',
  acr: 'The sign-in is weaker than the acr_values of the request or required_acr of the client: the user signs in more strongly.',
} as const

/** Why the sign-in page is shown. */
export function loginCause({ prompts }: Place): Cause {
  const reason = prompts.login?.reason ?? 'signed_out'
  const setting = prompts.login?.client?.required_acr ? 'client.required_acr' : 'oidc.acr'
  return { reason, hint: LOGIN_HINTS[reason], setting: reason === 'acr' ? setting : null }
}
