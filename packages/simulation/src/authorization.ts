/** An authorization request, sent to the authorization endpoint of a provider whose writes count nowhere. */

import { type Cause, loginCause, type Refusal, refusalOf } from './outcome.js'
import { openPlace, type Place } from './place/place.js'
import { type SimulatedSession, signIn } from './place/session.js'
import type { SimulationSource } from './source.js'

/** The request, and who sends it. */
export interface AuthorizationInput {
  client_id: string
  /** The others of the query. A list is a parameter that is sent several times. */
  parameters: Readonly<Record<string, string | readonly string[]>>
  /** Whose browser it is; null: nobody has signed in. */
  user: (SimulatedSession & { sub: string }) | null
}

/** What the authorization endpoint answers. */
export type AuthorizationOutcome = {
  /** Those that the code is for, or that the user is asked about; null before a sign-in, and for a refused request. */
  scopes: string[] | null
  /** Whether the user of the session exists, and is not disabled; null without one. */
  user_is_active: boolean | null
} & (Refusal | (Cause & { result: 'login' | 'consent' | 'code' }))

/** @throws SimulationError */
export async function simulateAuthorization(
  { core, provider, realm, secret }: SimulationSource,
  { client_id, parameters, user }: AuthorizationInput,
): Promise<AuthorizationOutcome> {
  // The keys of the realm verify a hint. What is sealed for other requests, no server can open.
  const is_hinted = Object.hasOwn(parameters, 'id_token_hint')
  const place = await openPlace({ core, provider, realm, secret: is_hinted ? null : secret, keys: null })
  const cookie = user && (await signIn(place, user))
  const sub = user?.sub ?? null
  const account = sub === null ? null : await provider.accounts.find(sub, place.realm)
  const url = new URL(place.realm.urls.authorization_endpoint)
  for (const [name, value] of Object.entries({ client_id, ...parameters }))
    for (const one of typeof value === 'string' ? [value] : value) url.searchParams.append(name, one)
  await place.fetch(new Request(url, cookie === null ? {} : { headers: { cookie } }))
  return {
    ...(await outcome(place, sub)),
    user_is_active: user && account !== null,
  }
}

async function outcome(place: Place, sub: string | null) {
  const refused = refusalOf(place)
  if (refused !== null) return { ...refused, scopes: null }
  const requested = place.events.findLast((event) => event.type === 'authorization.requested')
  if (requested === undefined) throw new Error('The authorization endpoint has reported no outcome')
  const { outcome: result } = requested
  if (result === 'login') return { result, ...loginCause(place), scopes: null }
  if (result === 'consent') {
    const scopes = place.prompts.consent?.scopes.map(({ value }) => value) ?? []
    const hint = 'The user has not allowed all of this yet, or is asked each time.'
    return { result, reason: null, hint, setting: 'client.consent_required', scopes }
  }
  const [grant] = await place.storage.grants.list(sub ?? '', place.clock.now)
  return { result, reason: null, hint: null, setting: null, scopes: grant?.scopes ?? [] }
}
