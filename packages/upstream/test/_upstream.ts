/** An OpenID provider over jose that does what it is told, right or wrong; and GitHub's endpoints. No socket: a fetch of their own. */

import { createHash, randomBytes } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'

export const CLIENT_ID = 'ostiary'
export const CLIENT_SECRET = 'a secret of this test'

/** How it breaks a rule. Each is absent in an honest one. */
export interface Breaks {
  /** Members of the discovery document. */
  document?: Record<string, unknown>
  /** Claims of the ID token; undefined takes one away. */
  claims?: Record<string, unknown>
  /** The ID token itself. */
  token?: (honest: string, claims: Record<string, unknown>) => string | Promise<string> | null
  userinfo?: Record<string, unknown>
  /** What the authorization response has beside, or in place of, what it should. */
  response?: Record<string, string | null>
  /** The answer of a path, in place of its own. */
  answer?: (path: string) => Response | null
}

interface Person {
  sub: string
  [claim: string]: unknown
}

const ADA: Person = { sub: 'ada-1', email: 'ada@corp.example', email_verified: true, name: 'Ada Lovelace' }

const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } })

/** One key for all: making one takes time. */
export const KEYS = generateKeyPair('RS256', { extractable: true })

export const signed = (claims: Record<string, unknown>, key: CryptoKey, kid = 'k'): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(key)

export interface Upstream {
  issuer: string
  breaks: Breaks
  person: Person
  /** Method and path of each request. */
  requests: string[]
  /** What the token endpoint got last. */
  token_request: URLSearchParams | null
  authorization: string | null
  is_down: boolean
  fetch(url: string, init: RequestInit): Promise<Response>
  /** The user signs in: what the browser brings back. */
  signIn(location: string): URLSearchParams
}

interface UpstreamOptions {
  /** Where its endpoints are; the issuer when absent. */
  origin?: string
  id_token_email?: boolean
  now?: () => number
}

export function upstream(issuer: string, options: UpstreamOptions = {}): Upstream {
  const { origin = issuer, id_token_email = true, now = () => Math.floor(Date.now() / 1000) } = options
  const codes = new Map<string, URLSearchParams>()
  const at = (path: string): string => `${origin}${path}`

  async function token(params: URLSearchParams): Promise<Response> {
    const code = codes.get(params.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(params.get('code_verifier') ?? '')
      .digest('base64url')
    if (code === undefined || challenge !== code.get('code_challenge'))
      return json({ error: 'invalid_grant' }, 400)
    codes.delete(params.get('code') ?? '')
    const { sub, ...person } = self.person
    const claims: Record<string, unknown> = {
      iss: issuer,
      sub,
      aud: CLIENT_ID,
      iat: now(),
      exp: now() + 300,
      nonce: code.get('nonce'),
      ...(id_token_email && person),
      ...self.breaks.claims,
    }
    const { privateKey } = await KEYS
    const present = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
    const honest = await signed(present, privateKey)
    const id_token = self.breaks.token ? await self.breaks.token(honest, present) : honest
    return json({ access_token: 'at', token_type: 'Bearer', ...(id_token !== null && { id_token }) })
  }

  const self: Upstream = {
    issuer,
    breaks: {},
    person: ADA,
    requests: [],
    token_request: null,
    authorization: null,
    is_down: false,
    async fetch(url, init) {
      const path = url.slice(origin.length)
      self.requests.push(`${init.method ?? 'GET'} ${path}`)
      if (self.is_down) throw new TypeError('connect ECONNREFUSED')
      const other = self.breaks.answer?.(path)
      if (other) return other
      if (url === `${issuer}/.well-known/openid-configuration`)
        return json({
          issuer,
          authorization_endpoint: at('/authorize'),
          token_endpoint: at('/token'),
          jwks_uri: at('/keys'),
          userinfo_endpoint: at('/userinfo'),
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          ...self.breaks.document,
        })
      if (path === '/keys')
        return json({
          keys: [{ ...(await exportJWK((await KEYS).publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }],
        })
      if (path === '/userinfo') return json({ ...self.person, ...self.breaks.userinfo })
      if (path !== '/token') return json({ error: 'not_found' }, 404)
      self.token_request = new URLSearchParams(init.body as URLSearchParams | string)
      self.authorization = new Headers(init.headers).get('authorization')
      return token(self.token_request)
    },
    signIn(location) {
      const sent = new URL(location).searchParams
      const code = randomBytes(8).toString('hex')
      codes.set(code, sent)
      const answer = new URLSearchParams({ code, state: sent.get('state') ?? '' })
      for (const [name, value] of Object.entries(self.breaks.response ?? {}))
        if (value === null) answer.delete(name)
        else answer.set(name, value)
      return answer
    },
  }
  return self
}

export interface GithubAddress {
  email: string
  primary: boolean
  verified: boolean
}

/** GitHub's three endpoints. */
export function github(user: Record<string, unknown>, addresses: readonly GithubAddress[]) {
  const codes = new Map<string, URLSearchParams>()
  return {
    user,
    addresses,
    async fetch(url: string, init: RequestInit): Promise<Response> {
      if (url === 'https://api.github.com/user') return json(this.user)
      if (url === 'https://api.github.com/user/emails') return json(this.addresses)
      if (url !== 'https://github.com/login/oauth/access_token') return json({ message: 'Not Found' }, 404)
      const params = new URLSearchParams(init.body as URLSearchParams | string)
      const challenge = createHash('sha256')
        .update(params.get('code_verifier') ?? '')
        .digest('base64url')
      if (codes.get(params.get('code') ?? '')?.get('code_challenge') !== challenge)
        return json({ error: 'bad_verification_code', error_description: '<b>no</b>' })
      return json({ access_token: 'gho_1', scope: 'read:user,user:email', token_type: 'bearer' })
    },
    signIn(location: string): URLSearchParams {
      const sent = new URL(location).searchParams
      const code = randomBytes(8).toString('hex')
      codes.set(code, sent)
      return new URLSearchParams({ code, state: sent.get('state') ?? '' })
    },
  }
}
