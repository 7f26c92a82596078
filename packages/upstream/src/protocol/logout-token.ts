/** Logout tokens: what a provider sends when a session has ended there (OpenID Connect Back-Channel Logout 1.0 §2.4 and §2.6). */

import { type CompactJWSHeaderParameters, compactVerify, importJWK, type JWK } from 'jose'
import type { ServerMetadata } from 'openid-client'
import { UpstreamRefusal } from '../refusal.js'
import type { UpstreamSettings } from '../settings.js'
import { kept } from './kept.js'
import { limitedFetch, type UpstreamFetch } from './limited-fetch.js'
import { type Protocol, textOf } from './trip.js'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const TYPES: readonly unknown[] = [undefined, 'JWT', 'logout+jwt', 'application/logout+jwt']

/** By algorithm, the type of its keys, which are public: never `none`, and no HMAC. */
const KEY_TYPES: Readonly<Record<string, string>> = {
  RS256: 'RSA',
  RS384: 'RSA',
  RS512: 'RSA',
  PS256: 'RSA',
  PS384: 'RSA',
  PS512: 'RSA',
  ES256: 'EC',
  ES384: 'EC',
  ES512: 'EC',
  EdDSA: 'OKP',
  Ed25519: 'OKP',
}

/** Seconds for which a token may be good: its `jti` is kept for as long. */
const MAX_TOKEN_SECONDS = 3600
/** Seconds for which keys are used, also where a token names another one: each stranger can send such a token. */
const KEYS_SECONDS = 60

interface LogoutOptions {
  fetch: UpstreamFetch
  /** Epoch seconds. */
  now: () => number
  document(): Promise<ServerMetadata>
}

export function logoutTokens(
  settings: UpstreamSettings,
  options: LogoutOptions,
): NonNullable<Protocol['ended']> {
  const keys = keysOf(options)
  return async (token) => {
    const { issuer } = await options.document()
    const found = await keys()
    const { protectedHeader, claims } = await verified(token, found)
    if (!TYPES.includes(protectedHeader.typ)) throw new UpstreamRefusal('bad_response')
    const now = options.now()
    const { iss, aud, iat, exp, events, nonce, sub, sid, jti } = claims
    const event = (events as Record<string, unknown> | null | undefined)?.[EVENT]
    const is_logout = typeof event === 'object' && event !== null && nonce === undefined
    if (!is_logout || typeof iat !== 'number' || typeof exp !== 'number')
      throw new UpstreamRefusal('bad_response')
    if (iss !== issuer) throw new UpstreamRefusal('issuer_differs')
    const [audience, ...others] = [aud].flat()
    if (audience !== settings.client_id || others.length > 0) throw new UpstreamRefusal('audience')
    if (exp <= now || exp > now + MAX_TOKEN_SECONDS) throw new UpstreamRefusal('expired')
    return { issuer, session: sessionOf(sid), jti: textIn(jti), subject: textIn(sub), expires_at: exp }
  }
}

/** @throws UpstreamRefusal where none of the keys has signed the token. */
async function verified(token: string, keys: readonly JWK[]) {
  try {
    const { protectedHeader, payload } = await compactVerify(
      token,
      (header) => importJWK(keyFor(keys, header), header.alg),
      { algorithms: Object.keys(KEY_TYPES) },
    )
    const claims = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) as unknown
    if (typeof claims !== 'object' || claims === null) throw new Error('the payload is no object')
    return { protectedHeader, claims: claims as Readonly<Record<string, unknown>> }
  } catch (cause) {
    throw new UpstreamRefusal('bad_response', cause)
  }
}

/** The one key for such a header. */
function keyFor(keys: readonly JWK[], { alg, kid }: CompactJWSHeaderParameters): JWK {
  const [key, ...others] = keys.filter(
    (one) =>
      one.kty === KEY_TYPES[alg] &&
      (one.use ?? 'sig') === 'sig' &&
      (one.alg ?? alg) === alg &&
      (kid === undefined || one.kid === kid),
  )
  if (key === undefined || others.length > 0) throw new Error('no key, or several')
  return key
}

const sessionOf = (sid: unknown): string | null => (sid === undefined ? null : textIn(sid))

/** A session is found by its user: a token with `sid` alone ends none. */
function textIn(claim: unknown): string {
  const text = textOf(claim)
  if (text === null) throw new UpstreamRefusal('subject')
  return text
}

const keysOf = ({ fetch, now, document }: LogoutOptions): (() => Promise<JWK[]>) =>
  kept(
    async () => {
      const { jwks_uri = '' } = await document()
      const response = await limitedFetch(fetch)(jwks_uri, { headers: { accept: 'application/json' } })
      try {
        const { keys } = (await response.json()) as { keys: JWK[] }
        return keys.filter(({ kty }) => typeof kty === 'string')
      } catch (cause) {
        throw new UpstreamRefusal('bad_response', cause)
      }
    },
    { now, seconds: KEYS_SECONDS },
  )
