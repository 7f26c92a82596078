/** An issuer in this process, behind `fetch`: it signs, publishes its keys, responds to introspection, and can fail. */

import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose'
import { onTestFinished, vi } from 'vitest'
import { createResourceServer, type ResourceServer, type ResourceServerOptions } from '../src/index.js'

export const NOW = 1_800_000_000
export const ISSUER = 'https://id.example.com'
export const RESOURCE = 'https://api.example.com/notes'
export const METADATA = 'https://api.example.com/.well-known/oauth-protected-resource/notes'
export const CREDENTIALS = { client_id: RESOURCE, client_secret: 's%+ cr:t' }

export interface KeyPair {
  kid: string
  private_key: CryptoKey
  jwk: JWK
}

export async function keyPair(kid: string, alg = 'RS256'): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, private_key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

export const KEY: KeyPair = await keyPair('k1')

export interface TestIssuer {
  issuer: string
  clock: { now: number }
  /** The published keys. */
  keys: unknown[]
  /** The response to introspection. */
  introspection: (form: URLSearchParams, request: Request) => Response
  /** Responds instead of the routes while it is not null. */
  broken: ((url: string, init: RequestInit) => Promise<Response>) | null
  /** The paths of all requests. */
  asked: string[]
  fetch: typeof fetch
  document: Record<string, unknown>
  token(claims?: object, header?: Partial<JWTHeaderParameters>, key?: KeyPair): Promise<string>
}

export function testIssuer(issuer = ISSUER): TestIssuer {
  const made: TestIssuer = {
    issuer,
    clock: { now: NOW },
    keys: [KEY.jwk],
    introspection: () => Response.json({ active: false }),
    broken: null,
    asked: [],
    document: {
      issuer,
      jwks_uri: `${issuer}/jwks`,
      introspection_endpoint: `${issuer}/introspect`,
    },
    async fetch(input, init = {}) {
      const url = String(input)
      made.asked.push(new URL(url).pathname)
      if (made.broken) return made.broken(url, init)
      if (url === `${issuer}/.well-known/openid-configuration`) return Response.json(made.document)
      if (url === `${issuer}/jwks`) return Response.json({ keys: made.keys })
      if (url === `${issuer}/introspect`)
        return made.introspection(new URLSearchParams(String(init.body)), new Request(url, init))
      return new Response(null, { status: 404 })
    },
    token(claims = {}, header = {}, key = KEY) {
      const { now } = made.clock
      const standard = { iss: issuer, sub: 'alice', aud: RESOURCE, client_id: 'app', jti: 'j1' }
      return new SignJWT({ ...standard, scope: 'read', iat: now, exp: now + 900, ...claims })
        .setProtectedHeader({ alg: key.jwk.alg ?? 'RS256', typ: 'at+jwt', kid: key.kid, ...header })
        .sign(key.private_key)
    },
  }
  return made
}

/** An API that accepts tokens of the issuer. */
export const api = <User = { sub: string }>(
  from: TestIssuer,
  more: Partial<ResourceServerOptions<User, { client_id: string }>> = {},
): ResourceServer =>
  createResourceServer<User, { client_id: string }>({
    issuer: from.issuer,
    resource: RESOURCE,
    fetch: from.fetch,
    now: () => from.clock.now,
    ...more,
  })

export const request = (token?: string, url = RESOURCE): Request =>
  new Request(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })

/**
 * Runs work during which the issuer stops responding, with fake timers.
 * @param silent Whether the issuer has received the request that it does not respond to.
 * @returns The result a millisecond before `timeout_seconds` have passed, and the result after them.
 */
export async function whenSilent<T>(work: () => Promise<T>, { silent, timeout_seconds }: Silence) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let before: T | 'nothing' = 'nothing'
  const working = work().then((answer) => {
    before = answer
    return answer
  })
  while (!silent()) await immediate()
  await vi.advanceTimersByTimeAsync(timeout_seconds * 1000 - 1)
  await immediate()
  const early = before
  await vi.advanceTimersByTimeAsync(1)
  return { early, answer: await working }
}
interface Silence {
  silent: () => boolean
  timeout_seconds: number
}
export const immediate = () => new Promise((resolve) => setImmediate(resolve))

/** The parts of a response that a client sees. */
export async function seen(answer: unknown): Promise<unknown> {
  if (!(answer instanceof Response)) return 'accepted'
  const { status, headers } = answer
  return [status, await answer.text(), headers.get('www-authenticate')]
}

const REFUSED = { invalid_token: 401, insufficient_scope: 403 }
export const refused = (error: keyof typeof REFUSED = 'invalid_token', scope = ''): unknown => [
  REFUSED[error],
  `{"error":"${error}"}`,
  `Bearer realm="default", error="${error}", ${scope && `scope="${scope}", `}resource_metadata="${METADATA}"`,
]
export const SILENT = [401, '', `Bearer realm="default", resource_metadata="${METADATA}"`]
export const AWAY = [503, '{"error":"temporarily_unavailable"}', null]
