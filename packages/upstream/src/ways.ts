/** The upstreams of all realms, as the pages know them. */

import type { Link, LinkStore, User } from '@ostiary/identity'
import type { EndedSession } from './protocol/trip.js'
import type { UpstreamArrival, UpstreamOutcome, UpstreamRefused } from './rules/outcome.js'

/** An upstream at which users of a realm sign in. */
interface UpstreamName {
  id: string
  /** For users. */
  name: string
  /** Whether a user signs in there with this link: not after its `issuer` was changed. */
  owns(link: Link): boolean
  /** Whether a sign-in there asks for no factor of this server. */
  is_enough: boolean
}

/** Random values of a round trip: the browser keeps them sealed. */
export interface TripSecrets {
  state: string
  nonce: string
  code_verifier: string
}

interface TripStart {
  realm: string
  id: string
  redirect_uri: string
  /** The address that the user has typed. */
  login_hint: string | null
  /** The user is signed in, and proves it again. */
  fresh: boolean
}

interface TripEnd extends UpstreamArrival {
  realm: string
  redirect_uri: string
  secrets: TripSecrets
  /** The query. */
  params: URLSearchParams
}

export interface Ways {
  /** In the order of their buttons. */
  list(realm: string): readonly UpstreamName[]
  links(realm: string): LinkStore
  /** The id of the upstream that a typed name leads to. */
  leadsTo(realm: string, username: string): string | null
  /** Whether the user signs in at one of them in place of a password. */
  replacesPassword(realm: string, user: Pick<User, 'username' | 'claims'>): boolean
  begin(start: TripStart): Promise<{ location: string; secrets: TripSecrets } | UpstreamRefused>
  finish(end: TripEnd): Promise<UpstreamOutcome>
  /** What a logout token says. */
  ended(realm: string, id: string, token: string): Promise<EndedSession | UpstreamRefused>
}
