/** Logout tokens: what a provider sends when a session has ended there (OpenID Connect Back-Channel Logout 1.0 §2.4 and §2.6). */

import type { ServerMetadata } from 'openid-client'
import { UpstreamRefusal } from '../refusal.js'
import type { UpstreamSettings } from '../settings.js'
import { limitedFetch, type UpstreamFetch } from './limited-fetch.js'
import { type Protocol, textOf } from './trip.js'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const TYPES: readonly unknown[] = [undefined, 'JWT', 'logout+jwt', 'application/logout+jwt']

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
    // With keys of a set, jose takes neither `none` nor a key that both sides know.
    const { jwtVerify } = await import('jose')
    const { issuer } = await options.document()
    const found = await keys()
    const now = options.now()
    const checks = {
      issuer,
      audience: settings.client_id,
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
      currentDate: new Date(now * 1000),
    }
    const { payload, protectedHeader } = await jwtVerify(token, found, checks).catch((cause) => {
      throw new UpstreamRefusal('bad_response', cause)
    })
    const { aud, exp = 0, events, nonce, sub, sid, jti } = payload
    const event = (events as Record<string, unknown> | null)?.[EVENT]
    const is_logout = typeof event === 'object' && event !== null && nonce === undefined
    if (!is_logout || !TYPES.includes(protectedHeader.typ)) throw new UpstreamRefusal('bad_response')
    if (Array.isArray(aud) && aud.length > 1) throw new UpstreamRefusal('audience')
    if (exp > now + MAX_TOKEN_SECONDS) throw new UpstreamRefusal('expired')
    return { issuer, session: sessionOf(sid), jti: textIn(jti), subject: textIn(sub), expires_at: exp }
  }
}

const sessionOf = (sid: unknown): string | null => (sid === undefined ? null : textIn(sid))

/** A session is found by its user: a token with `sid` alone ends none. */
function textIn(claim: unknown): string {
  const text = textOf(claim)
  if (text === null) throw new UpstreamRefusal('subject')
  return text
}

type Keys = ReturnType<typeof import('jose')['createLocalJWKSet']>

function keysOf({ fetch, now, document }: LogoutOptions): () => Promise<Keys> {
  let kept: { keys: Promise<Keys>; until: number } | null = null
  async function read(): Promise<Keys> {
    const { createLocalJWKSet } = await import('jose')
    const { jwks_uri = '' } = await document()
    const response = await limitedFetch(fetch)(jwks_uri, { headers: { accept: 'application/json' } })
    try {
      return createLocalJWKSet((await response.json()) as Parameters<typeof createLocalJWKSet>[0])
    } catch (cause) {
      throw new UpstreamRefusal('bad_response', cause)
    }
  }
  return () => {
    if (kept !== null && now() < kept.until) return kept.keys
    const keys = read()
    const mine = { keys, until: now() + KEYS_SECONDS }
    kept = mine
    keys.catch(() => {
      if (kept === mine) kept = null
    })
    return keys
  }
}
