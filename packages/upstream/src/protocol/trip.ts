/** One round trip to an upstream, and what comes back. */

/** What the browser keeps while it is at the upstream, sealed. */
export interface RoundTrip {
  redirect_uri: string
  /** 256 random bits each, base64url. */
  state: string
  nonce: string
  code_verifier: string
}

/** What the request asks for, beside the sign-in. */
interface TripWishes {
  /** The address that the user has typed. */
  login_hint: string | null
  /** Whether the user is to give a proof at the upstream again. */
  fresh: boolean
}

/** Who the user is, as the upstream says. */
export interface UpstreamAnswer {
  /** Together with `subject` the only key of a link. */
  issuer: string
  subject: string
  email: string | null
  /** Whether the upstream says that the address is the user's. */
  email_verified: boolean
  /** Of Google: the organization whose accounts Google hosts. Null elsewhere. */
  hosted_domain: string | null
  preferred_username: string | null
  name: string | null
  given_name: string | null
  family_name: string | null
  /** The values of the claim of groups; null where it is absent. */
  groups: readonly string[] | null
}

/** How one upstream is asked. */
export interface Protocol {
  /** Where the browser goes. @throws UpstreamRefusal */
  authorizationUrl(trip: RoundTrip, wishes: TripWishes): Promise<string>
  /** @param params What the browser has brought back. @throws UpstreamRefusal */
  answer(trip: RoundTrip, params: URLSearchParams): Promise<UpstreamAnswer>
}

/** A claim as a text for people: without control characters, and not longer than a name may be. */
export function textOf(value: unknown, limit = MAX_TEXT_CHARACTERS): string | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' || text.length > limit || /[\p{Cc}\p{Cs}]/u.test(text) ? null : text
}

const MAX_TEXT_CHARACTERS = 255
