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
  /** The `sid` of the session there. Null where the upstream names none. */
  session: string | null
  /** The values of the claim of groups; null where it is absent. */
  groups: readonly string[] | null
}

/** A session, or all of a user, that has ended at the upstream. */
export interface EndedSession {
  issuer: string
  subject: string
  /** Null: all of the user. */
  session: string | null
  jti: string
  /** Epoch seconds. */
  expires_at: number
}

/** How one upstream is asked. */
export interface Protocol {
  /** Where the browser goes. @throws UpstreamRefusal */
  authorizationUrl(trip: RoundTrip, wishes: TripWishes): Promise<string>
  /** @param params What the browser has brought back. @throws UpstreamRefusal */
  answer(trip: RoundTrip, params: URLSearchParams): Promise<UpstreamAnswer>
  /** Checks a logout token. Null where the upstream sends none. @throws UpstreamRefusal */
  ended: ((token: string) => Promise<EndedSession>) | null
}

/** A claim as a text: without control characters, and not longer than a name, or a `sub` (OpenID Connect Core §2), may be. */
export function textOf(value: unknown, limit = MAX_TEXT_CHARACTERS): string | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' || text.length > limit || /[\p{Cc}\p{Cs}]/u.test(text) ? null : text
}

const MAX_TEXT_CHARACTERS = 255
