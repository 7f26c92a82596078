/** The requests of a browser and of a client, in order: what a runtime or a framework must get right. */

import { createHash } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { expect } from 'vitest'
import type { Answer, BrowserState, Step } from './walk.ts'

/** The client of `examples/embed-app`. */
const CLIENT = { client_id: 'notes', client_secret: 'for-trying-out-only-not-for-anything-else' }
const CALLBACK = 'http://localhost:8080/callback'
const GOODBYE = 'http://localhost:8080/'
const PASSWORD = 'correct horse battery staple'
const VERIFIER = 'a-code-verifier-of-forty-three-characters-or-more'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const SCOPE = 'openid profile notes.read'

const post = (fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers,
  body: new URLSearchParams(fields),
})
const bearer = (seen: BrowserState): RequestInit => ({
  headers: { authorization: `Bearer ${value(seen, 'access_token')}` },
})

/** Where a redirect leads: without the query, and its parameters. */
function target({ headers }: Answer, { issuer }: BrowserState): [string, Record<string, string>] {
  const url = new URL(headers.get('location') ?? '', issuer)
  return [url.origin + url.pathname, Object.fromEntries(url.searchParams)]
}

function value({ values }: BrowserState, name: string): string {
  const found = values.get(name)
  if (found === undefined) throw new Error(`No earlier answer gave ${name}`)
  return found
}

function keep(seen: BrowserState, found: Record<string, unknown>, names: string[]): void {
  for (const name of names) {
    expect(found[name], name).toEqual(expect.any(String))
    seen.values.set(name, String(found[name]))
  }
}

/** What a page's form would post. */
function hidden({ text }: Answer, name: string): Record<string, string> {
  return { [name]: new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? '' }
}

const authorize = ({ issuer }: BrowserState): [string] => [
  `/oauth/authorize?${new URLSearchParams({
    client_id: CLIENT.client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: SCOPE,
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    resource: `${issuer}/api/notes`,
  })}`,
]

function codeAtTheClient(answer: Answer, seen: BrowserState): void {
  const [to, parameters] = target(answer, seen)
  expect(to).toBe(CALLBACK)
  expect(parameters).toMatchObject({ state: 'the state', iss: seen.issuer })
  keep(seen, parameters, ['code'])
}

const login = (
  seen: BrowserState,
  changes: { password?: string; origin?: string } = {},
): [string, RequestInit] => {
  const { password = PASSWORD, origin = seen.issuer } = changes
  return ['/login', post({ username: 'ann', password, return_to: value(seen, 'return_to') }, { origin })]
}

const token = (fields: Record<string, string>): [string, RequestInit] => [
  '/oauth/token',
  post({ ...CLIENT, ...fields }),
]

async function tokensFor(answer: Answer, seen: BrowserState): Promise<void> {
  expect(answer.status, answer.text).toBe(200)
  const body = JSON.parse(answer.text)
  keep(seen, body, ['access_token', 'refresh_token', 'id_token'])
  const { issuer, jwks } = seen
  const options = { issuer, audience: CLIENT.client_id }
  const { payload } = await jwtVerify(body.id_token, createLocalJWKSet(jwks), options)
  expect(payload).toMatchObject({ sub: 'user-1', amr: ['pwd'] })
}

export const CODE_FLOW: Step[] = [
  {
    says: 'its own page: no user is signed in',
    send: () => ['/'],
    check({ status, text }) {
      expect([status, text]).toEqual([200, expect.stringContaining('You are not signed in')])
    },
  },
  ...['openid-configuration', 'oauth-authorization-server'].map((name) => ({
    says: `discovery: ${name}`,
    send: (): [string] => [`/.well-known/${name}`],
    check({ status, text }: Answer, { issuer }: BrowserState) {
      expect(status).toBe(200)
      const token_endpoint = `${issuer}/oauth/token`
      expect(JSON.parse(text)).toMatchObject({ issuer, token_endpoint })
    },
  })),
  {
    says: 'the metadata of its own resource',
    send: () => ['/.well-known/oauth-protected-resource/api/notes'],
    check({ status, text }, { issuer }) {
      expect(status).toBe(200)
      expect(JSON.parse(text)).toMatchObject({ resource: `${issuer}/api/notes` })
    },
  },
  {
    says: 'the keys',
    send: () => ['/.well-known/jwks.json'],
    check({ status, text }, seen) {
      expect(status).toBe(200)
      seen.jwks = JSON.parse(text)
      expect(seen.jwks.keys).toMatchObject([{ kty: 'RSA', alg: 'RS256' }])
    },
  },
  {
    says: 'a preflight from a page of another origin',
    send: () => ['/oauth/token', { method: 'OPTIONS', headers: { origin: 'https://app.example' } }],
    check({ status, headers }) {
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    },
  },
  {
    says: 'authorize leads to the login page of the application',
    send: authorize,
    check(answer, seen) {
      const [to, parameters] = target(answer, seen)
      expect(to).toBe(`${seen.issuer}/login`)
      keep(seen, parameters, ['return_to'])
    },
  },
  {
    says: 'the login page names the client',
    send: (seen) => [`/login?${new URLSearchParams({ return_to: value(seen, 'return_to') })}`],
    check(answer, seen) {
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('Notes')])
      expect(hidden(answer, 'return_to')).toEqual({ return_to: value(seen, 'return_to') })
    },
  },
  {
    says: 'a wrong password is refused',
    send: (seen) => login(seen, { password: 'a guess' }),
    check({ status }, { cookies }) {
      expect([status, cookies.size]).toEqual([401, 0])
    },
  },
  {
    says: 'a form on another site is refused',
    send: (seen) => login(seen, { origin: 'https://evil.example' }),
    check({ status }, { cookies }) {
      expect([status, cookies.size]).toEqual([403, 0])
    },
  },
  {
    says: 'the right password starts a session',
    send: (seen) => login(seen),
    check(answer, seen) {
      expect([answer.status, target(answer, seen)[0]]).toEqual([303, `${seen.issuer}/oauth/authorize/resume`])
      expect(seen.cookies.size).toBe(1)
      seen.values.set('resume', answer.headers.get('location') ?? '')
    },
  },
  {
    says: 'the consent page of the application says what is asked for',
    send: (seen) => [value(seen, 'resume')],
    check(answer, seen) {
      expect(answer.status).toBe(200)
      for (const words of ['Ann Example', 'Read your notes']) expect(answer.text).toContain(words)
      keep(seen, hidden(answer, 'auth_token'), ['auth_token'])
    },
  },
  {
    says: 'consent sends the code to the client',
    send: (seen) => ['/oauth/authorize/consent', post({ auth_token: value(seen, 'auth_token') })],
    check: codeAtTheClient,
  },
  {
    says: 'the code gives tokens that the keys prove',
    send: (seen) =>
      token({
        grant_type: 'authorization_code',
        code: value(seen, 'code'),
        redirect_uri: CALLBACK,
        code_verifier: VERIFIER,
      }),
    check: tokensFor,
  },
  {
    says: 'userinfo knows the person',
    send: (seen) => ['/oauth/userinfo', bearer(seen)],
    check({ status, text }) {
      expect(status).toBe(200)
      expect(JSON.parse(text)).toEqual({ sub: 'user-1', name: 'Ann Example' })
    },
  },
  {
    says: 'introspection says that the token is active',
    send: (seen) => ['/oauth/introspect', post({ ...CLIENT, token: value(seen, 'access_token') })],
    check({ text }) {
      expect(JSON.parse(text)).toMatchObject({ active: true, sub: 'user-1', client_id: 'notes' })
    },
  },
  {
    says: 'the refresh token gives new tokens',
    send: (seen) => token({ grant_type: 'refresh_token', refresh_token: value(seen, 'refresh_token') }),
    check: tokensFor,
  },
  {
    says: 'its own page shows the signed-in user',
    send: () => ['/'],
    check({ text }) {
      expect(text).toContain('Signed in as Ann Example')
    },
  },
  {
    says: 'the second authorization asks for nothing',
    send: authorize,
    check: codeAtTheClient,
  },
  {
    says: 'a spent token is revoked',
    send: (seen) => ['/oauth/revoke', post({ ...CLIENT, token: value(seen, 'access_token') })],
    check({ status }) {
      expect(status).toBe(200)
    },
  },
  {
    says: 'and userinfo refuses it',
    send: (seen) => ['/oauth/userinfo', bearer(seen)],
    check({ status, headers }) {
      expect([status, headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('invalid_token'),
      ])
    },
  },
  {
    says: 'logout leads back to the client',
    send: (seen) => [
      `/oauth/logout?${new URLSearchParams({
        id_token_hint: value(seen, 'id_token'),
        post_logout_redirect_uri: GOODBYE,
        state: 'bye',
      })}`,
    ],
    check(answer, seen) {
      expect(target(answer, seen)).toEqual([GOODBYE, { state: 'bye' }])
      expect(seen.cookies.size).toBe(0)
    },
  },
  {
    says: 'its own page: the user is signed out',
    send: () => ['/'],
    check({ text }) {
      expect(text).toContain('You are not signed in')
    },
  },
  {
    says: 'the code of the session that has ended is dead',
    send: (seen) =>
      token({
        grant_type: 'authorization_code',
        code: value(seen, 'code'),
        redirect_uri: CALLBACK,
        code_verifier: VERIFIER,
      }),
    check({ status, text }) {
      expect([status, JSON.parse(text).error]).toEqual([400, 'invalid_grant'])
    },
  },
]
