/** `GET|POST /oauth/authorize`: every refusal, its form, and which one comes first. */

import { describe, expect, it } from 'vitest'
import {
  answer,
  authorizeUrl,
  type Browser,
  client,
  formRequest,
  REDIRECT_URI,
  type World,
  type WorldOptions,
  world,
} from './support.js'

/** How a request differs from the standard one. */
interface Broken {
  changes?: Record<string, string | null>
  /** Appended to the query or form: repeated parameters. */
  append?: string
}
interface Row extends Broken {
  row: string
  error: string
}

const EVIL = 'https://evil.example/callback'
const OTHER_CHALLENGE = { code_challenge: 'x'.repeat(42) }

/** The parameter table of the contract, in its order. */
const ROWS: Row[] = [
  ...['response_type', 'scope', 'nonce', 'state', 'code_challenge', 'code_challenge_method'].map((name) => ({
    row: `a parameter given more than once (${name})`,
    append: `&${name}=again`,
    error: 'invalid_request',
  })),
  ...['prompt', 'max_age', 'resource', 'acr_values', 'id_token_hint', 'request', 'display', 'foo'].map(
    (name) => ({
      row: `a parameter given more than once (${name})`,
      append: `&${name}=1&${name}=1`,
      error: 'invalid_request',
    }),
  ),
  {
    row: 'a parameter given more than once (twice empty)',
    append: '&max_age=&max_age=',
    error: 'invalid_request',
  },
  {
    row: 'response_type not code (token)',
    ...refuses({ response_type: 'token' }, 'unsupported_response_type'),
  },
  {
    row: 'response_type not code (hybrid)',
    ...refuses({ response_type: 'code id_token' }, 'unsupported_response_type'),
  },
  {
    row: 'response_type not code (CODE)',
    ...refuses({ response_type: 'CODE' }, 'unsupported_response_type'),
  },
  { row: 'response_type missing', ...refuses({ response_type: null }, 'unsupported_response_type') },
  { row: 'response_mode not query (fragment)', ...refuses({ response_mode: 'fragment' }) },
  { row: 'response_mode not query (form_post)', ...refuses({ response_mode: 'form_post' }) },
  { row: 'request', ...refuses({ request: 'e30.e30.' }, 'request_not_supported') },
  { row: 'request_uri', ...refuses({ request_uri: 'https://x.example/1' }, 'request_uri_not_supported') },
  { row: 'code_challenge missing', ...refuses({ code_challenge: null }) },
  {
    row: 'code_challenge and its method missing',
    ...refuses({ code_challenge: null, code_challenge_method: null }),
  },
  { row: 'code_challenge_method missing', ...refuses({ code_challenge_method: null }) },
  { row: 'code_challenge_method plain', ...refuses({ code_challenge_method: 'plain' }) },
  { row: 'code_challenge_method s256', ...refuses({ code_challenge_method: 's256' }) },
  { row: 'code_challenge of 42 characters', ...refuses(OTHER_CHALLENGE) },
  { row: 'code_challenge of 129 characters', ...refuses({ code_challenge: 'x'.repeat(129) }) },
  { row: 'code_challenge with padding', ...refuses({ code_challenge: `${'x'.repeat(43)}=` }) },
  { row: 'scope naming an unknown scope', ...refuses({ scope: 'openid unheard' }, 'invalid_scope') },
  { row: 'an unknown scope with quotes', ...refuses({ scope: '"a\\b"é\r\n' }, 'invalid_scope') },
  { row: 'scope in another case', ...refuses({ scope: 'OPENID' }, 'invalid_scope') },
  {
    row: 'a known scope the client is not assigned',
    ...refuses({ client_id: 'limited', scope: 'openid email' }, 'invalid_scope'),
  },
  { row: 'a scope whose resource is not named', ...refuses({ scope: 'mcp.read' }, 'invalid_scope') },
  ...['-1', '1.5', '1e3', '+5', '0x10', 'soon', '٣', '1 2'].map((max_age) => ({
    row: `max_age not a non-negative integer (${max_age})`,
    ...refuses({ max_age }),
  })),
  ...['none login', 'consent none', 'login consent select_account none'].map((prompt) => ({
    row: `prompt none combined with another value (${prompt})`,
    ...refuses({ prompt }),
  })),
  ...['create', 'login unheard', 'NONE'].map((prompt) => ({
    row: `prompt with an unknown value (${prompt})`,
    ...refuses({ prompt }),
  })),
  { row: 'id_token_hint that does not verify', ...refuses({ id_token_hint: 'e30.e30.e30' }) },
  ...['mcp', 'https://other.example', '/mcp', 'https://api.example.com/v1#part', 'https://'].map(
    (resource) => ({
      row: `resource naming no registered resource (${resource})`,
      ...refuses({ resource }, 'invalid_target'),
    }),
  ),
  {
    row: 'a client without the authorization_code grant',
    ...refuses({ client_id: 'machine' }, 'unauthorized_client'),
  },
  { row: 'NUL in a parameter', ...refuses({ nonce: 'a\0b' }) },
  { row: 'NUL in an unknown parameter', ...refuses({ foo: '\0' }) },
]

function refuses(changes: Record<string, string | null>, error = 'invalid_request') {
  return { changes, error }
}

function request(w: World, { changes, append = '' }: Broken, method = 'GET'): Request {
  const url = authorizeUrl(w.issuer, changes) + append
  const [endpoint = '', form = ''] = url.split('?')
  return method === 'GET' ? new Request(url) : formRequest(endpoint, form)
}

async function setUp(options: WorldOptions): Promise<World> {
  const clients = [
    client({ trusted: true }),
    client({ client_id: 'two', redirect_uris: [REDIRECT_URI, 'https://client.example.com/2'] }),
    client({ client_id: 'none', redirect_uris: [] }),
    client({ client_id: 'gone', revoked_at: 1 }),
    client({ client_id: 'machine', grant_types: ['client_credentials'] }),
    client({ client_id: 'limited', optional_scopes: ['openid'] }),
  ]
  const resources = { mcp: { scopes: ['mcp.read'] }, 'https://api.example.com/v1': { scopes: [] } }
  return world({ clients: await Promise.all(clients), ...options, oidc: { resources } })
}

async function signedIn(w: World): Promise<Browser> {
  const browser = w.browser()
  await browser.authorize()
  await browser.signIn()
  return browser
}

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  describe('every error after the first check is an error redirect with state and iss, and the session is kept', () => {
    it.each(ROWS)('$row: $error', async ({ error, ...broken }) => {
      const w = await setUp({ routing })
      const browser = await signedIn(w)
      for (const method of ['GET', 'POST']) {
        const { state, ...refused } = answer(await browser.send(request(w, broken, method)))
        expect(refused).toEqual({
          status: method === 'GET' ? 302 : 303,
          to: REDIRECT_URI,
          iss: w.issuer,
          error,
          error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
        })
        // Of a repeated state, neither value is sent back.
        expect(state).toBe(broken.append?.includes('state=') ? undefined : 'the state')
      }
      expect(answer(await browser.authorize())).toHaveProperty('code')
    })

    it.each(ROWS)(
      '$row: nothing is redirected to an unregistered redirect_uri',
      async ({ changes, append }) => {
        const w = await setUp({ routing })
        for (const method of ['GET', 'POST']) {
          const broken = { changes: { ...changes, redirect_uri: EVIL }, append: append ?? '' }
          const response = await w.provider.fetch(request(w, broken, method))
          expect([response.status, response.headers.get('location')]).toEqual([400, null])
        }
      },
    )
  })

  describe('client_id and redirect_uri failures are 400 JSON, without redirect and challenge, before the session is touched', () => {
    it.each<[string, Broken]>([
      ['unknown client_id', { changes: { client_id: 'nobody' } }],
      ['client_id in another case', { changes: { client_id: 'APP' } }],
      ['missing client_id', { changes: { client_id: null } }],
      ['empty client_id', { changes: { client_id: '' } }],
      ['client_id with NUL', { changes: { client_id: 'app\0' } }],
      ['revoked client', { changes: { client_id: 'gone' } }],
      [
        'missing redirect_uri when more than one is registered',
        { changes: { client_id: 'two', redirect_uri: null } },
      ],
      [
        'missing redirect_uri when none is registered',
        { changes: { client_id: 'none', redirect_uri: null } },
      ],
      ['unmatched redirect_uri', { changes: { redirect_uri: EVIL } }],
      [
        'redirect_uri of another client',
        { changes: { client_id: 'app', redirect_uri: 'https://client.example.com/2' } },
      ],
      ['redirect_uri with more path', { changes: { redirect_uri: `${REDIRECT_URI}/more` } }],
      ['redirect_uri with a query', { changes: { redirect_uri: `${REDIRECT_URI}?more` } }],
      ['redirect_uri with a fragment', { changes: { redirect_uri: `${REDIRECT_URI}#more` } }],
      ['redirect_uri in another case', { changes: { redirect_uri: 'https://CLIENT.example.com/callback' } }],
      ['redirect_uri with NUL', { changes: { redirect_uri: `${REDIRECT_URI}\0` } }],
      ['duplicate client_id', { append: '&client_id=app' }],
      ['duplicate redirect_uri', { append: `&${new URLSearchParams({ redirect_uri: REDIRECT_URI })}` }],
    ])('%s', async (_, broken) => {
      const calls: string[] = []
      const { storage } = await setUp({ routing })
      const w = await world({ routing, clients: [], storage: (realm) => recorded(storage(realm), '', calls) })
      const browser = await signedIn(w)
      // It would end the session, were the session looked at.
      const changes = { prompt: 'login', ...broken.changes }
      for (const method of ['GET', 'POST']) {
        calls.length = 0
        const response = await browser.send(request(w, { ...broken, changes }, method))
        expect(response.status).toBe(400)
        expect(response.headers.get('content-type')).toBe('application/json')
        expect(response.headers.get('cache-control')).toBe('no-store')
        for (const name of ['location', 'www-authenticate', 'set-cookie'])
          expect(response.headers.get(name)).toBeNull()
        expect(await response.json()).toEqual({
          error: 'invalid_request',
          error_description: expect.any(String),
        })
        expect(calls.filter((call) => call !== 'clients.find')).toEqual([])
      }
      expect(answer(await browser.authorize())).toHaveProperty('code')
      expect(calls).toEqual(expect.arrayContaining(['sessions.find', 'grants.create']))
    })
  })
})

/** The same stores, writing down which operation was called. */
function recorded<T extends object>(target: T, path: string, calls: string[]): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name)
      if (typeof value === 'function')
        return (...args: unknown[]) => {
          calls.push(path + String(name))
          return Reflect.apply(value, object, args)
        }
      return typeof value === 'object' && value !== null ? recorded(value, `${String(name)}.`, calls) : value
    },
  })
}

describe('order of checks', () => {
  /** In their order; the last one applies without any change, since no user is signed in. */
  const RULES: ({ rule: string } & Broken)[] = [
    { rule: 'duplicate client_id', append: '&client_id=app' },
    { rule: 'unknown client', changes: { client_id: 'nobody' } },
    { rule: 'redirect_uri', changes: { redirect_uri: EVIL } },
    { rule: 'other duplicates', append: '&nonce=again' },
    { rule: "the client's grants", changes: { client_id: 'machine' } },
    { rule: 'response_type', changes: { response_type: 'token' } },
    { rule: 'response_mode', changes: { response_mode: 'fragment' } },
    { rule: 'request', changes: { request: 'e30.e30.' } },
    { rule: 'request_uri', changes: { request_uri: 'https://x.example/1' } },
    { rule: 'PKCE', changes: OTHER_CHALLENGE },
    { rule: 'scope', changes: { scope: 'unheard' } },
    { rule: 'resource', changes: { resource: 'https://other.example' } },
    { rule: 'prompt', changes: { prompt: 'unheard' } },
    { rule: 'max_age', changes: { max_age: '-1' } },
    { rule: 'id_token_hint', changes: { id_token_hint: 'e30.e30.e30' } },
    { rule: 'session' },
  ]

  async function outcome(w: World, broken: Broken): Promise<string> {
    const response = await w.provider.fetch(request(w, broken))
    if (!response.headers.has('location')) return `${response.status} ${await response.text()}`
    const { to, error, error_description } = answer(response)
    return [to, error, error_description].join(' ')
  }

  it.each(RULES.slice(0, -1).map((first, index) => ({ first, later: RULES.slice(index + 1) })))(
    '$first.rule comes before $later.0.rule and all that follows',
    async ({ first, later }) => {
      const w = await setUp({})
      const expected = await outcome(w, first)
      for (const { rule, changes, append = '' } of later) {
        // One parameter cannot break two rules at once.
        if (Object.keys(changes ?? {}).some((name) => name in (first.changes ?? {}))) continue
        expect(await outcome(w, { changes: changes ?? {}, append }), `${rule} alone`).not.toBe(expected)
        const both = { changes: { ...changes, ...first.changes }, append: append + (first.append ?? '') }
        expect(await outcome(w, both), `with ${rule}`).toBe(expected)
      }
    },
  )
})
