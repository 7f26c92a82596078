/** No text that a client sends is in a log line, a metric or a span, unless it is a known name of this server. */

import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { cookieJar, filled, formOf } from '@ostiary/test-kit/browser'
import { afterEach, describe, expect, it } from 'vitest'
import { exposition } from '../src/metrics/prometheus.ts'
import { FILE, PASSWORD, type RunningApp, startApp } from './support.ts'

afterEach(() => {
  trace.disable()
  context.disable()
  propagation.disable()
})

/** Letters and digits, which are valid wherever a token is; lower case, because some parsers lower the case. */
const SECRET = 'zq7x4k9m2v8w1t5b3n6c0j7h4d2f'

const HEADERS = {
  authorization: `Bearer ${SECRET}`,
  cookie: `ostiary_session=${SECRET}; ${SECRET}=${SECRET}`,
  dpop: `${SECRET}.${SECRET}.${SECRET}`,
  'user-agent': SECRET,
  referer: `https://${SECRET}.example/${SECRET}`,
  origin: `https://${SECRET}.example`,
  'x-request-id': SECRET,
  'x-forwarded-for': SECRET,
  traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`,
  tracestate: `${SECRET}=${SECRET}`,
  baggage: `${SECRET}=${SECRET}`,
  accept: `text/html, ${SECRET}/${SECRET}`,
  'accept-language': SECRET,
  'content-type': `${SECRET}/${SECRET}`,
  'if-none-match': SECRET,
  [SECRET]: SECRET,
}

const FIELDS = `
  client_id client_secret grant_type code code_verifier refresh_token redirect_uri scope resource audience
  subject_token subject_token_type actor_token requested_token_type token token_type_hint response_type
  response_mode state nonce code_challenge code_challenge_method prompt max_age acr_values id_token_hint
  login_hint request request_uri auth_token _method return_to csrf username password action
  current_password new_password sid post_logout_redirect_uri confirmation_token logout_token logout_hint
  ui_locales v
  ${SECRET}`
  .trim()
  .split(/\s+/)
const PATHS = [
  'par',
  'token',
  'authorize',
  'authorize/consent',
  'authorize/resume',
  'register',
  'userinfo',
  'introspect',
  'revoke',
  'logout',
].map((path) => `/oauth/${path}`)
const PAGES = ['/login', '/login/style.css', '/account', '/demo', '/healthz', '/readyz']
const DOCUMENTS = [
  'openid-configuration',
  'oauth-authorization-server',
  'oauth-protected-resource',
  'jwks.json',
].map((name) => `/.well-known/${name}`)
const KNOWN_PATHS = [...PATHS, ...PAGES, ...DOCUMENTS]
const UNKNOWN_PATHS = [
  `/${SECRET}`,
  `/oauth/${SECRET}`,
  `/oauth/token/${SECRET}`,
  `/login/${SECRET}`,
  `/account/${SECRET}`,
  `/demo/${SECRET}`,
  `/.well-known/${SECRET}`,
  ...DOCUMENTS.map((path) => `${path}/${SECRET}`),
  `/.well-known/oauth-protected-resource/api/${SECRET}`,
  `/realms/${SECRET}/oauth/token`,
  `/realms/${SECRET}/login`,
  `/.well-known/oauth-protected-resource/realms/${SECRET}`,
  `/.well-known/openid-configuration/realms/${SECRET}`,
  `/realms/acme/${SECRET}`,
]
const METHODS = ['GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS', SECRET.toUpperCase()]

const everyField = (value: string) => new URLSearchParams(FIELDS.map((name) => [name, value]))
const withBody = (method: string) => !['GET', 'HEAD'].includes(method)

/** Requests every path with every method, with the secret in every header, parameter, and field of a form or of JSON. */
async function tryEverything({ get }: RunningApp, base: string) {
  const query = everyField(SECRET)
  for (const path of [...KNOWN_PATHS, ...UNKNOWN_PATHS].map((each) =>
    each.startsWith('/realms') ? each : base + each,
  ))
    for (const method of METHODS) {
      await get(`${path}?${query}`, { method, headers: HEADERS })
      if (!withBody(method)) continue
      await get(path, { method, headers: HEADERS, body: SECRET })
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      await get(path, { method, headers: { ...HEADERS, ...form }, body: query.toString() })
      await get(path, { method, headers: form, body: query.toString() })
      const json = { 'content-type': 'application/json' }
      await get(path, { method, headers: json, body: JSON.stringify(Object.fromEntries(query)) })
    }
}

const AUTHORIZATION = {
  client_id: 'app',
  redirect_uri: 'http://localhost:8080/callback',
  response_type: 'code',
  scope: 'openid',
  state: 'x',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

/** Uses a pushed request, and tries it as another client and in the wrong places. @returns Its secret. */
async function usePushedRequest({ get }: RunningApp, base: string): Promise<string> {
  const form = new URLSearchParams(AUTHORIZATION)
  const pushed = await get(`${base}/oauth/par`, { method: 'POST', body: form })
  const { request_uri } = await pushed.json()
  const secret = String(request_uri).slice(-43)
  for (const client_id of ['worker', 'app', SECRET])
    await get(`${base}/oauth/authorize?${new URLSearchParams({ client_id, request_uri })}`)
  await get(
    `${base}/oauth/authorize?${new URLSearchParams({ client_id: 'app', request_uri: `${request_uri}x` })}`,
  )
  await get(`${base}/oauth/authorize/resume?id=${secret}`)
  await get(`${base}/oauth/par`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'app', request_uri }),
  })
  return secret
}

/** One field has the secret and the others are valid, so that each request gets as far as possible. */
async function tryEachField({ get }: RunningApp, base: string) {
  const token = { grant_type: 'client_credentials', client_id: 'worker', client_secret: WORKER_SECRET }
  const registration = { redirect_uris: ['https://a.example/cb'], client_name: 'a' }
  const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` })
  for (const name of FIELDS) {
    const query = new URLSearchParams({ ...AUTHORIZATION, [name]: SECRET })
    await get(`${base}/oauth/authorize?${query}`)
    await get(`${base}/oauth/par`, { method: 'POST', body: query })
    for (const path of ['token', 'introspect', 'revoke'])
      await get(`${base}/oauth/${path}`, {
        method: 'POST',
        body: new URLSearchParams({ ...token, token: 'x', [name]: SECRET }),
      })
  }
  const headers = { dpop: SECRET }
  await get(`${base}/oauth/token`, { method: 'POST', headers, body: new URLSearchParams(token) })
  for (const name of [
    'client_name',
    'scope',
    'token_endpoint_auth_method',
    'client_uri',
    'contacts',
    'software_id',
  ])
    await get(`${base}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...registration, [name]: SECRET }),
    })
  for (const headers of [
    basic(SECRET, SECRET),
    basic('worker', SECRET),
    { authorization: `Basic ${SECRET}` },
  ])
    await get(`${base}/oauth/token`, { method: 'POST', headers, body: new URLSearchParams(token) })
}

/** Signs in, with the secret in every field that a user fills in, and posts each form of the account page. */
async function asUser({ get, config }: RunningApp, base: string) {
  const jar = cookieJar()
  const open = async (path: string, init: RequestInit = {}): Promise<{ url: string; html: string }> => {
    const response = await get(path, { ...init, headers: { cookie: jar.header(), 'user-agent': SECRET } })
    jar.keep(response)
    const location = response.headers.get('location')
    if (location?.startsWith(config.issuer) || location?.startsWith('/')) return open(location)
    return { url: path, html: await response.text() }
  }
  const submit = ({ url, html }: { url: string; html: string }, fields: Record<string, string>, nth = 0) => {
    const form = formOf(html, nth)
    const address = new URL(form.action, new URL(url, config.issuer))
    return open(address.href, { method: 'POST', body: filled(form, fields) })
  }
  const login = await open(`${base}/account`)
  await submit(login, { username: SECRET, password: SECRET })
  await submit(login, { username: 'ann', password: SECRET })
  const account = await submit(login, { username: 'ann', password: PASSWORD })
  expect(account.html).toContain('Ann Example')
  for (const nth of [0, 1, 2]) await submit(account, Object.fromEntries(everyField(SECRET)), nth)
  const typed = {
    current_password: SECRET,
    new_password: SECRET,
    sid: SECRET,
    client_id: SECRET,
    resource: SECRET,
  }
  for (const nth of [0, 1, 2]) await submit(account, typed, nth)
}

const WORKER_SECRET = 'the-secret-of-the-worker'
const WORKER = { client_id: 'worker', client_secret: WORKER_SECRET, grant_types: ['client_credentials'] }
const ENTRIES = { clients: [...FILE.clients, WORKER], users: FILE.users }
const registration = {
  clients: { registration: { enabled: true }, token_exchange: true },
  dpop: 'on',
  par: 'allowed',
}

describe.each([
  ['one realm', '', { app: FILE.app, oidc: registration, ...ENTRIES }],
  [
    'realms by path',
    '/realms/acme',
    {
      app: FILE.app,
      oidc: { ...registration, routes: { realms: 'path' }, realms: { acme: {} } },
      realms: { acme: ENTRIES },
    },
  ],
])('%s', (_, base, file) => {
  it('a secret that is sent in the wrong place stays out of logs, metrics and spans', async () => {
    const exporter = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    trace.setGlobalTracerProvider(provider)
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    const started = await startApp({ ...file, server: { metrics: { port: 9464 } } })
    await tryEverything(started, base)
    await tryEachField(started, base)
    const request_secret = await usePushedRequest(started, base)
    await asUser(started, base)

    const spans = exporter.getFinishedSpans().map(({ name, attributes, events, status, resource }) => ({
      name,
      attributes,
      events,
      status,
      resource: resource.attributes,
    }))
    const metrics = (await exposition([await started.app.metrics()])).split('\n')
    expect(request_secret).toHaveLength(43)
    const isSecret = (text: string) => text.toLowerCase().includes(SECRET) || text.includes(request_secret)
    const seen = {
      log: started.lines.filter(isSecret),
      metrics: metrics.filter(isSecret),
      spans: spans.filter((span) => isSecret(JSON.stringify(span))),
    }
    expect(seen).toEqual({ log: [], metrics: [], spans: [] })

    // The requests were logged, and got as far as possible.
    const logged = new Set(started.logged('request').map(({ path }) => path))
    expect(logged).toContain(`${base}/oauth/token`)
    expect(metrics.join('\n')).toContain('ostiary_requests_total{route="oidc.token"')
    expect(spans.length).toBe(started.logged('request').length)
    const events = new Set(started.lines.map((line) => JSON.parse(line).event))
    for (const event of [
      'client.registered',
      'client.authentication_failed',
      'authorization.pushed',
      'login.refused',
      'token.issued',
    ])
      expect(events).toContain(event)
  })
})

it('the path is logged for known routes only, the route for all', async () => {
  const started = await startApp({
    app: FILE.app,
    oidc: { routes: { realms: 'path' }, realms: { acme: {} }, resources: { 'api/notes': {} } },
  })
  const known = [
    '/realms/acme/oauth/token',
    '/realms/acme/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/realms/acme',
    '/.well-known/oauth-protected-resource/realms/acme',
    '/realms/acme/login',
    '/realms/acme/account',
    '/healthz',
  ]
  const unknown = [
    '/realms/other/oauth/token',
    '/.well-known/oauth-protected-resource/realms/acme/api/notes',
    '/x',
  ]
  for (const path of [...known, ...unknown]) await started.get(path)
  const lines = started.logged('request')
  expect(lines.map(({ path }) => path)).toEqual([...known, ...unknown.map(() => undefined)])
  expect(lines.map(({ route }) => route)).toEqual([
    'oidc.token',
    'oidc.discovery',
    'oidc.authorization-server',
    'oidc.protected-resource',
    'login',
    'account',
    'healthz',
    'oidc.token',
    'oidc.protected-resource',
    'other',
  ])
})
