/**
 * Twenty mistakes of a client's developer. For each, one line of the log, read alone, says what was sent and what to change.
 * `PRINT_LINES=<file>` writes the lines.
 */

import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { cookieJar, filled, formOf } from '@ostiary/test-kit/browser'
import { afterAll, expect, it } from 'vitest'
import { FILE, PASSWORD, type RunningApp, startApp } from './support.ts'

const ISSUER = 'http://localhost:4000'
const CALLBACK = 'http://localhost:8080/callback'
const SECRET = 'the-right-secret-of-the-worker-0123456789'
const VERIFIER = 'a'.repeat(43)
const KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = KEY.publicKey.export({ format: 'jwk' })

const CONFIG = {
  app: FILE.app,
  users: FILE.users,
  clients: [
    {
      client_id: 'app',
      redirect_uris: [CALLBACK],
      post_logout_redirect_uris: ['http://localhost:8080/'],
      consent_required: false,
    },
    { client_id: 'worker', client_secret: SECRET, grant_types: ['client_credentials'] },
    {
      client_id: 'signer',
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ ...jwk, kid: 'key-2025', alg: 'ES256' }] },
    },
  ],
  oidc: {
    clients: { private_key_jwt: true },
    resources: { api: { scopes: ['notes.read'] } },
    dpop: 'nonce',
    par: 'allowed',
  },
}

const AUTHORIZATION = {
  client_id: 'app',
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'openid',
  state: 'x',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function jwt(header: object, claims: object): string {
  const input = `${encoded({ alg: 'ES256', ...header })}.${encoded(claims)}`
  const key = { key: KEY.privateKey, dsaEncoding: 'ieee-p1363' as const }
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}

const seconds = (): number => Math.floor(Date.now() / 1000)

const proof = (claims: object): string =>
  jwt(
    { typ: 'dpop+jwt', jwk },
    { jti: crypto.randomUUID(), htm: 'POST', htu: `${ISSUER}/oauth/token`, iat: seconds(), ...claims },
  )

function assertion(claims: object, kid = 'key-2025'): Record<string, string> {
  const own = { iss: 'signer', sub: 'signer', aud: ISSUER, exp: seconds() + 60, jti: crypto.randomUUID() }
  return {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: jwt({ kid }, { ...own, ...claims }),
  }
}

const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` })

/** Seconds that the clock of the server is ahead. */
interface Clock {
  ahead: number
}

interface Mistake {
  name: string
  send: (app: RunningApp, clock: Clock) => Promise<unknown>
  /** The event that explains it. */
  event: string
  sent: string | RegExp | null
  hint: string | RegExp
  /** Where nothing that was sent can be shown. */
  client_id?: string
}

const authorize =
  (changes: Record<string, string>, without: string[] = []) =>
  (app: RunningApp) => {
    const parameters = Object.entries({ ...AUTHORIZATION, ...changes }).filter(
      ([name]) => !without.includes(name),
    )
    return app.get(`/oauth/authorize?${new URLSearchParams(parameters)}`)
  }

const token =
  (
    form: Record<string, string> | (() => Record<string, string>),
    headers: () => Record<string, string> = () => ({}),
  ) =>
  (app: RunningApp) =>
    app.get('/oauth/token', {
      method: 'POST',
      headers: headers(),
      body: new URLSearchParams(typeof form === 'function' ? form() : form),
    })

const MACHINE = { grant_type: 'client_credentials' }
const WORKER = { ...MACHINE, client_id: 'worker', client_secret: SECRET }

/** Signs in, and redeems the code twice. */
async function redeemTwice(app: RunningApp): Promise<void> {
  const jar = cookieJar()
  const open = async (path: string, init: RequestInit = {}): Promise<{ url: string; html: string }> => {
    const response = await app.get(path, { ...init, headers: { cookie: jar.header() } })
    jar.keep(response)
    const location = response.headers.get('location')
    if (location?.startsWith(ISSUER) || location?.startsWith('/')) return open(location)
    return { url: location ?? path, html: await response.text() }
  }
  const page = await open(`/oauth/authorize?${new URLSearchParams(AUTHORIZATION)}`)
  const form = formOf(page.html)
  const action = new URL(form.action, new URL(page.url, ISSUER))
  const body = filled(form, { username: 'ann', password: PASSWORD })
  const { url } = await open(action.href, { method: 'POST', body })
  const code = new URL(url).searchParams.get('code') ?? ''
  const redemption = {
    client_id: 'app',
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
    redirect_uri: CALLBACK,
  }
  await token(redemption)(app)
  await token(redemption)(app)
}

const MISTAKES: Mistake[] = [
  {
    name: 'wrong client_id',
    send: token(MACHINE, () => basic('wroker', SECRET)),
    event: 'client.authentication_failed',
    sent: 'client_id=wroker',
    hint: /^No client of this realm has this client_id: compare it with the output of client list/,
  },
  {
    name: 'wrong secret',
    send: token({ ...WORKER, client_secret: 'an-old-secret' }),
    event: 'client.authentication_failed',
    sent: 'client_id=worker, client_secret=(13 characters)',
    hint: /client rotate-secret/,
  },
  {
    name: 'wrong method',
    send: token({ ...MACHINE, client_id: 'signer' }),
    event: 'client.authentication_failed',
    sent: 'client_id=signer',
    hint: /^The application used another method than the client's token_endpoint_auth_method/,
  },
  {
    name: 'redirect URI',
    send: authorize({ redirect_uri: `${CALLBACK}/` }),
    event: 'request.refused',
    sent: `redirect_uri=${CALLBACK}/`,
    hint: new RegExp(
      `Send a registered one, or add the one that was sent, if the application owns it. It differs from the registered ${CALLBACK} in the last slash.$`,
    ),
  },
  {
    name: 'scope',
    send: authorize({ scope: 'openid notes.raed' }),
    event: 'authorization.refused',
    sent: 'scope=openid notes.raed',
    hint: /^A requested scope does not exist: correct it, or add it to oidc\.scopes .*\. It is notes\.raed\.$/,
  },
  {
    name: 'resource',
    send: authorize({ resource: `${ISSUER}/apis` }),
    event: 'authorization.refused',
    sent: `resource=${ISSUER}/apis`,
    hint: new RegExp(
      `compare it with the keys of oidc.resources, .*differs from the registered ${ISSUER}/api in the path.$`,
    ),
  },
  {
    name: 'PKCE',
    send: authorize({}, ['code_challenge', 'code_challenge_method']),
    event: 'authorization.refused',
    sent: 'no code_challenge',
    hint: 'Turn PKCE on in the client (code_challenge with S256). For a client with a secret that cannot: require_pkce: false.',
  },
  {
    name: 'response_mode',
    send: authorize({ response_mode: 'form_post' }),
    event: 'authorization.refused',
    sent: 'response_mode=form_post',
    hint: 'Leave response_mode out, or send query.',
  },
  {
    name: 'clock',
    send: token(() => assertion({ exp: seconds() - 3600 })),
    event: 'client.authentication_failed',
    sent: /^exp=\d{10}, now=\d{10}$/,
    hint: /correct its clock;/,
  },
  {
    name: 'kid',
    send: token(() => assertion({}, 'key-2024')),
    event: 'client.authentication_failed',
    sent: 'kid=key-2024, alg=ES256',
    hint: /^The client has no key for this client_assertion: compare its kid and alg with the jwks/,
  },
  {
    name: 'aud',
    send: token(() => assertion({ aud: `${ISSUER}/` })),
    event: 'client.authentication_failed',
    sent: `aud=${ISSUER}/`,
    hint: /^The aud of a client_assertion is the issuer, .* The issuer is http:\/\/localhost:4000\.$/,
  },
  {
    name: 'htu',
    send: token(WORKER, () => ({ dpop: proof({ htu: 'http://127.0.0.1:3000/oauth/token' }) })),
    event: 'request.refused',
    sent: 'htu=http://127.0.0.1:3000/oauth/token',
    hint: /^The htu of a proof is the URL of the endpoint .* The issuer is http:\/\/localhost:4000\.$/,
  },
  {
    name: 'nonce',
    send: token(WORKER, () => ({ dpop: proof({ nonce: 'of-another-server' }) })),
    event: 'request.refused',
    sent: 'nonce=of-another-server',
    hint: /repeat the request with the one of the header DPoP-Nonce\.$/,
  },
  {
    name: 'issuer with a slash',
    send: ({ get }) => get(`${ISSUER}//.well-known/openid-configuration`),
    event: 'request.refused',
    sent: 'path=//.well-known/openid-configuration',
    hint: /the issuer in the configuration of the client has a slash at its end\. Remove it\.$/,
  },
  {
    name: 'origin',
    send: ({ get }) =>
      get('/oauth/introspect', { method: 'OPTIONS', headers: { origin: 'http://localhost:5173' } }),
    event: 'request.refused',
    sent: 'origin=http://localhost:5173, path=/oauth/introspect',
    hint: /^No script of another origin may call this endpoint \(CORS\)/,
  },
  {
    name: 'grant type',
    send: token({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }, () =>
      basic('worker', SECRET),
    ),
    event: 'request.refused',
    sent: 'grant_type=urn:ietf:params:oauth:grant-type:device_code, client_id=worker',
    hint: /^Send a grant_type of grant_types_supported of the discovery document.*a key of oidc\.clients/,
  },
  {
    name: 'code twice',
    send: redeemTwice,
    event: 'code.replayed',
    sent: null,
    client_id: 'app',
    hint: /^The code was redeemed before: its tokens are revoked\. A code is for one request/,
  },
  {
    name: 'expired request',
    async send({ get }, clock) {
      const { headers } = await get(`/oauth/authorize?${new URLSearchParams(AUTHORIZATION)}`)
      const id = new URL(headers.get('location') ?? '').searchParams.get('return_to') ?? ''
      clock.ahead = 601
      await get(`/oauth/authorize/resume?${new URLSearchParams({ id })}`)
    },
    event: 'request.refused',
    sent: null,
    hint: /^The request expired while the user signed in \(oidc\.tokens\.pending_authorization\)/,
    client_id: 'app',
  },
  {
    name: 'post-logout URI',
    send: ({ get }) => {
      const query = { client_id: 'app', post_logout_redirect_uri: 'http://localhost:8081/' }
      return get(`/oauth/logout?${new URLSearchParams(query)}`)
    },
    event: 'logout.redirect_refused',
    sent: 'post_logout_redirect_uri=http://localhost:8081/',
    hint: /It differs from the registered http:\/\/localhost:8080\/ in the port\.$/,
  },
]

const REALM: Mistake = {
  name: 'realm',
  send: ({ get }) => get('/realms/amce/.well-known/openid-configuration'),
  event: 'request.refused',
  sent: 'realm=amce',
  hint: 'There is no realm with this id: compare the issuer of the client with the keys of oidc.realms.',
}

const printed: string[] = []
afterAll(() => {
  const file = process.env.PRINT_LINES
  if (file !== undefined) writeFileSync(file, `${printed.join('\n\n')}\n`)
})

async function explains({ name, send, event, sent, hint, client_id }: Mistake, file: unknown): Promise<void> {
  const clock = { ahead: 0 }
  const app = await startApp(file, {}, { now: () => seconds() + clock.ahead })
  await send(app, clock)
  const lines = app.logged(event)
  expect(lines).toHaveLength(1)
  const [line] = lines
  printed.push(`${name}\n${app.lines.find((text) => JSON.parse(text).msg === event)}`)
  const like = (text: string | RegExp | null) => (text instanceof RegExp ? expect.stringMatching(text) : text)
  expect({ sent: line?.sent ?? null, hint: line?.hint }).toEqual({ sent: like(sent), hint: like(hint) })
  if (client_id !== undefined) expect(line?.client_id).toBe(client_id)
  expect(line?.reference).toMatch(/^[0-9A-F]{4}-[0-9A-F]{4}$/)
  expect(app.lines.join('\n')).not.toContain(SECRET)
}

it.each(MISTAKES)('$name', (mistake) => explains(mistake, CONFIG))

it('realm', async () => {
  const by_path = { app: FILE.app, oidc: { routes: { realms: 'path' }, realms: { acme: {} } } }
  await explains(REALM, by_path)
})

it('they are twenty', () => {
  expect([...MISTAKES, REALM]).toHaveLength(20)
})
