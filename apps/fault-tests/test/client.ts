/** The clients of these tests and their requests. */

import { createHash } from 'node:crypto'
import { type Person, person } from '@ostiary/test-kit/person'

export const CALLBACK = 'http://localhost:8080/callback'
export const BACKEND_SECRET = 'a-client-secret-that-is-long-enough-for-anyone'
const USERNAME = 'ann'
export const PASSWORD = 'correct horse battery staple'
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** `app` is public and trusted: no consent is asked for. `backend` may introspect its own tokens. */
export const clients = [
  { client_id: 'app', redirect_uris: [CALLBACK], post_logout_redirect_uris: [CALLBACK], trusted: true },
  {
    client_id: 'backend',
    client_secret: BACKEND_SECRET,
    redirect_uris: [CALLBACK],
    trusted: true,
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  },
]
/** With an RSA key, signatures take most of the processor time of a request: the tests that take this are not about keys. */
export const QUICK_KEYS = { algorithms: ['ES256'] }

export const users = [{ username: USERNAME, password: PASSWORD, name: 'Ann Example' }]

export interface Answer {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

/** A server that has not answered by then fails the test. Milliseconds. */
const REQUEST_TIMEOUT_MS = 60_000

/** @throws when the connection breaks or the answer does not come in time. */
export async function send(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
  const text = await response.text()
  const { status, headers } = response
  return { status, headers, body: text.startsWith('{') ? JSON.parse(text) : {} }
}

export const post = (url: string, form: Record<string, string>): Promise<Answer> =>
  send(url, { method: 'POST', body: new URLSearchParams(form) })

export const backend = { client_id: 'backend', client_secret: BACKEND_SECRET }

export const codeForm = (code: string, client: Record<string, string> = { client_id: 'app' }) => ({
  ...client,
  grant_type: 'authorization_code',
  code,
  redirect_uri: CALLBACK,
  code_verifier: VERIFIER,
})

export const refreshForm = (
  refresh_token: string,
  client: Record<string, string> = { client_id: 'app' },
) => ({
  ...client,
  grant_type: 'refresh_token',
  refresh_token,
})

export const userinfo = (issuer: string, token: string): Promise<Answer> =>
  send(`${issuer}/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } })

export function authorizeUrl(issuer: string, more: Record<string, string> = {}): string {
  const code_challenge = createHash('sha256').update(VERIFIER).digest('base64url')
  const query = {
    client_id: 'app',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid profile',
    code_challenge,
    code_challenge_method: 'S256',
    ...more,
  }
  return `${issuer}/oauth/authorize?${new URLSearchParams(query)}`
}

/** Signs a user in with a new browser; Ann, unless another one is named. */
export async function signIn(issuer: string, username = USERNAME): Promise<Person> {
  const user = person(new URL(issuer).origin)
  const page = await user.open(authorizeUrl(issuer))
  const { url } = await user.submit(page, { username, password: PASSWORD })
  if (!url.searchParams.has('code')) throw new Error(`The sign-in has ended at ${url}`)
  return user
}

/** A code for the client, in the name of a signed-in user. */
export async function newCode(
  ann: Person,
  issuer: string,
  more: Record<string, string> = {},
): Promise<string> {
  const { url, status } = await ann.open(authorizeUrl(issuer, more))
  const code = url.searchParams.get('code')
  if (code === null) throw new Error(`No code: ${status} at ${url}`)
  return code
}

export const textOf = ({ body }: Answer, name: string): string => {
  const value = body[name]
  if (typeof value !== 'string') throw new Error(`No ${name} in ${JSON.stringify(body)}`)
  return value
}
