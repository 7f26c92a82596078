/** Clients whose client_id is the URL of their metadata: from the first request to the tokens. */

import { memoryStorage } from '@ostiary/core/memory'
import { type PublishedDocuments, published, publishedDocuments } from '@ostiary/test-kit/published-documents'
import { describe, expect, it } from 'vitest'
import type { FetchedDocument, OidcConfig, OidcEvent } from '../src/index.ts'
import {
  answer,
  type Browser,
  client,
  formRequest,
  REDIRECT_URI,
  redeem,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const CLIENT_ID = 'https://client.example.com/metadata.json'
const LOOPBACK = 'http://localhost/callback'
const DAY = 86_400

const DOCUMENT = {
  client_id: CLIENT_ID,
  client_name: 'The Client',
  redirect_uris: [REDIRECT_URI],
}

interface Setup extends WorldOptions {
  documents?: PublishedDocuments
  metadata?: NonNullable<NonNullable<OidcConfig['clients']>['metadata_documents']>
}

type DocumentWorld = World & { documents: PublishedDocuments }

async function setUp({ documents, metadata, oidc = {}, ...rest }: Setup = {}): Promise<DocumentWorld> {
  const { ...own } = documents ?? publishedDocuments()
  if (!documents) own.put(DOCUMENT)
  const clients = { ...oidc.clients, metadata_documents: { enabled: true, ...metadata } }
  const options = { clients: [], fetch_document: own.fetch_document, ...rest }
  const w = await world({ ...options, oidc: { ...oidc, clients } })
  return { ...w, documents: own }
}

/** Another server with the same storage, accounts and documents: it has nothing in memory. */
async function otherServer(w: DocumentWorld, options: Setup = {}): Promise<DocumentWorld> {
  const { storage, documents, clock } = w
  const other = await setUp({ storage, documents, now: () => clock.now, ...options })
  return { ...other, clock }
}

const authorize = (browser: Browser, changes: Record<string, string | null> = {}): Promise<Response> =>
  browser.authorize({ client_id: CLIENT_ID, ...changes })

/** Signs in, approves and redeems. */
async function obtainTokens(w: World, changes: Record<string, string> = {}) {
  const browser = w.browser()
  const { redirect_uri = REDIRECT_URI } = changes
  const { code } = await browser.code({ client_id: CLIENT_ID, redirect_uri, ...changes })
  const answered = await redeem(w, code, { client_id: changes.client_id ?? CLIENT_ID, redirect_uri })
  return { browser, ...answered }
}

const refresh = (w: World, refresh_token: string) =>
  tokens(w, { grant_type: 'refresh_token', client_id: CLIENT_ID, refresh_token })

/** What the browser is answered: the view, a code, or an error. */
async function outcome(response: Response): Promise<string> {
  if (response.status === 200) return 'view'
  if (response.status >= 400) return ((await response.json()) as { error: string }).error
  if (new URL(response.headers.get('location') ?? '').pathname === '/login') return 'login'
  const { code, error } = answer(response)
  return code ? 'code' : String(error)
}

const documentEvents = (events: OidcEvent[]) =>
  events.flatMap((event): unknown[] => {
    if (event.type === 'client_document.fetched') return [event.changed]
    return event.type === 'client_document.refused' ? [[event.host, event.reason]] : []
  })

describe('a client with a metadata document', () => {
  it('gets a code after the user has consented, and tokens', async () => {
    const w = await setUp()
    const { status, body, browser } = await obtainTokens(w)
    expect([status, body.scope]).toEqual([200, 'openid profile email'])
    expect(w.consents).toHaveLength(1)
    expect(w.consents[0]).toMatchObject({
      client: {
        client_id: CLIENT_ID,
        client_name: 'The Client',
        origin: 'metadata_document',
        trusted: false,
      },
      client_host: 'client.example.com',
      client_origin: 'metadata_document',
      loopback_only: false,
      redirect_host: 'client.example.com',
    })
    expect((await refresh(w, body.refresh_token)).status).toBe(200)
    expect(await outcome(await authorize(browser))).toBe('code')
    expect(await outcome(await authorize(browser, { scope: 'openid phone' }))).toBe('view')
    expect(w.documents.requests).toEqual([
      { url: CLIENT_ID, options: { max_bytes: 5120, accept: 'application/json', headers: {} } },
    ])
    expect(documentEvents(w.events)).toEqual([true])
  })

  it('is an unknown client while the switch is off', async () => {
    const w = await setUp({ metadata: { enabled: false } })
    const off = await authorize(w.browser())
    const unknown = await w.browser().authorize({ client_id: 'nothing' })
    expect([off.status, await off.text()]).toEqual([400, await unknown.text()])
    const token = await redeem(w, 'code', { client_id: CLIENT_ID })
    expect([token.status, token.body]).toEqual([401, (await redeem(w, 'code', { client_id: 'x' })).body])
    expect([w.documents.requests, documentEvents(w.events)]).toEqual([[], []])
  })

  it('is named by discovery while the switch is on', async () => {
    const supported = async (w: World) => {
      const response = await w.browser().get(`${w.issuer}/.well-known/openid-configuration`)
      return (await response.json()).client_id_metadata_document_supported
    }
    expect(await supported(await setUp())).toBe(true)
    expect(await supported(await setUp({ metadata: { enabled: false } }))).toBeUndefined()
  })

  it('needs the function that reads documents', async () => {
    const missing = 'fetch_document: missing; oidc.clients.metadata_documents.enabled needs a function'
    await expect(setUp({ fetch_document: undefined } as never)).rejects.toThrow(missing)
    const realms = { acme: { clients: { metadata_documents: { enabled: true } } } }
    const oidc = { routes: { realms: 'path' as const }, realms }
    await expect(world({ oidc })).rejects.toThrow(missing)
  })

  it('may use only codes and refresh tokens', async () => {
    const w = await setUp()
    w.documents.put({ ...DOCUMENT, grant_types: ['authorization_code', 'client_credentials'] })
    const form = { grant_type: 'client_credentials', client_id: CLIENT_ID }
    expect((await tokens(w, form)).body.error).toBe('unauthorized_client')
    const { body } = await obtainTokens(w)
    expect(body.refresh_token).toBeUndefined()
  })

  it('has no secret, and no counter of wrong ones', async () => {
    const w = await setUp()
    const basic = { authorization: `Basic ${btoa(`${encodeURIComponent(CLIENT_ID)}:secret`)}` }
    const request = (form: Record<string, string>, headers?: Record<string, string>) => {
      const all = { grant_type: 'authorization_code', code: 'code', ...form }
      const sent = formRequest(`${w.issuer}/oauth/token`, all, headers ? { headers } : {})
      return w.provider.fetch(sent, { address: '192.0.2.1' })
    }
    const answers = [
      await request({ client_id: CLIENT_ID, client_secret: 'secret' }),
      await request({}, basic),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401])
    expect(w.events.at(-2)).toMatchObject({ reason: 'wrong_method', registered_methods: ['none'] })
    const counters = await w.storage('default').throttle.list('', w.clock.now)
    expect(counters).toMatchObject([{ key: 'client-secret:192.0.2.1; unknown', hits: 2 }])
  })

  it('must use PKCE', async () => {
    const w = await setUp()
    const browser = w.browser()
    const response = await authorize(browser, { code_challenge: null, code_challenge_method: null })
    expect(await outcome(response)).toBe('invalid_request')
  })

  it('is found by the management once a user has used it, without a request', async () => {
    const w = await setUp()
    const { clients, consents } = await w.provider.manage()
    expect(await clients.find(CLIENT_ID)).toBeNull()
    expect(w.documents.requests).toEqual([])
    const { body } = await obtainTokens(w)
    w.documents.down.add('*')
    const other = await (await otherServer(w)).provider.manage()
    for (const management of [clients, other.clients]) {
      expect((await management.find(CLIENT_ID))?.client_name).toBe('The Client')
    }
    expect(w.documents.requests).toHaveLength(1)
    // The user's withdrawal ends the access, as for any client.
    expect(await consents.revoke({ sub: 'alice', client_id: CLIENT_ID })).toBe(1)
    expect((await refresh(w, body.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('is named when the user signs out, without a request', async () => {
    const shown: unknown[] = []
    const interactions = {
      login: async () => new Response('login'),
      async logout({ client: named }: { client: { client_name: string } | null }) {
        shown.push(named?.client_name)
        return new Response('logout')
      },
    }
    const w = await setUp()
    const { browser } = await obtainTokens(w)
    w.documents.down.add('*')
    const other = await otherServer(w, { interactions })
    const headers = { cookie: browser.jar.header() }
    const url = `${w.issuer}/oauth/logout?${new URLSearchParams({ client_id: CLIENT_ID })}`
    await other.provider.fetch(new Request(url, { headers }))
    expect([shown, w.documents.requests.length]).toEqual([['The Client'], 1])
  })

  it('keeps the grants of its other installations', async () => {
    const w = await setUp()
    const first = await obtainTokens(w)
    const second = await obtainTokens(w)
    expect((await refresh(w, first.body.refresh_token)).status).toBe(200)
    expect((await refresh(w, second.body.refresh_token)).status).toBe(200)
  })

  it('revokes its tokens', async () => {
    const w = await setUp()
    const { body } = await obtainTokens(w)
    const revoked = await w.post('/oauth/revoke', { client_id: CLIENT_ID, token: body.refresh_token })
    expect(revoked.status).toBe(200)
    expect((await refresh(w, body.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('a document', () => {
  it('is fetched at authorize and at the token endpoint, never at introspection and revocation', async () => {
    const w = await setUp()
    const { body } = await obtainTokens(w)
    const refresh_token = String(body.refresh_token)
    const ask = async (path: string) => {
      await w.post(path, { client_id: CLIENT_ID, token: 'unknown' })
      return w.documents.requests.length
    }
    const never_used = 'https://client.example.com/other.json'
    for (const path of ['/oauth/introspect', '/oauth/revoke']) {
      w.clock.now += 3600
      expect([path, await ask(path)]).toEqual([path, 1])
      const unknown = await w.post(path, { client_id: never_used, token: 'unknown' })
      expect([unknown.status, w.documents.requests.length]).toEqual([401, 1])
    }
    expect((await refresh(w, refresh_token)).status).toBe(200)
    expect(w.documents.requests).toHaveLength(2)
    w.clock.now += 3600
    await authorize(w.browser())
    expect(w.documents.requests).toHaveLength(3)
  })

  it('of a host with a port is named with it in the consent', async () => {
    const client_id = 'https://client.example.com:8443/metadata.json'
    const w = await setUp()
    w.documents.put({ ...DOCUMENT, client_id })
    await w.browser().code({ client_id })
    expect(w.consents.at(-1)?.client_host).toBe('client.example.com:8443')
  })
})

describe('a stored client with the same client_id', () => {
  it('ends what the client with the document could do', async () => {
    const w = await setUp()
    const { body } = await obtainTokens(w)
    const { clients } = await w.provider.manage()
    await clients.create({ client_id: CLIENT_ID, client_name: 'Stopped', redirect_uris: [REDIRECT_URI] })
    await clients.revoke(CLIENT_ID)
    expect((await refresh(w, body.refresh_token)).body.error).toBe('invalid_client')
    expect(await outcome(await authorize(w.browser()))).toBe('invalid_request')
    expect(await clients.find(CLIENT_ID)).toMatchObject({ client_name: 'Stopped', origin: 'operator' })
  })

  it('is what the revocation of one that users have used makes of it', async () => {
    const w = await setUp()
    const { clients } = await w.provider.manage()
    expect(await clients.revoke(CLIENT_ID)).toBe(false)
    const { body } = await obtainTokens(w)
    expect([await clients.revoke(CLIENT_ID), await clients.revoke(CLIENT_ID)]).toEqual([true, false])
    expect((await refresh(w, body.refresh_token)).body.error).toBe('invalid_client')
    expect(await outcome(await authorize(w.browser()))).toBe('invalid_request')
    const revoked = { client_name: 'The Client', origin: 'operator', revoked_at: w.clock.now }
    expect(await clients.find(CLIENT_ID)).toMatchObject(revoked)
    expect(w.events.filter(({ type }) => type === 'client.revoked')).toHaveLength(1)
    const other = await otherServer(w)
    expect((await refresh(other, body.refresh_token)).body.error).toBe('invalid_client')
  })

  it('comes first, and its revocation and deletion are final', async () => {
    const stored = await client({ client_id: CLIENT_ID, client_name: 'Of the operator' })
    const w = await setUp({ clients: [stored] })
    const own = await obtainTokens(w)
    expect([own.status, w.consents.at(-1)?.client.client_name]).toEqual([200, 'Of the operator'])
    expect(w.consents.at(-1)).toMatchObject({ client_host: null, client_origin: 'operator' })
    const { clients } = await w.provider.manage()
    const unknown = { error: 'invalid_request', error_description: 'There is no client with this client_id' }
    await clients.revoke(CLIENT_ID)
    expect(await (await authorize(w.browser())).json()).toEqual(unknown)
    expect((await refresh(w, own.body.refresh_token)).body.error).toBe('invalid_client')
    await clients.delete(CLIENT_ID)
    expect(await (await authorize(w.browser())).json()).toEqual(unknown)
    expect([await clients.find(CLIENT_ID), w.documents.requests]).toEqual([null, []])
  })
})

describe('a refused request', () => {
  it.each<[string, string, Parameters<PublishedDocuments['serve']>[1] | null]>([
    [
      'https://10.0.0.1/a',
      'The client_id is not usable: invalid_url: names an IP address instead of a host',
      null,
    ],
    [
      'https://localhost/a',
      'The client_id is not usable: invalid_url: names this computer, and documents are fetched from public addresses only: for development, with an issuer on this computer, use a name below localhost, such as https://app.localhost/client',
      null,
    ],
    [`${CLIENT_ID}?secret`, 'The client_id is not usable: invalid_url: has a query', null],
    ['https://other.example/a', 'The client metadata of other.example is not usable: host_not_allowed', null],
    ['https://a.example.com/404', 'The client metadata of a.example.com is not usable: not_found', null],
    [
      'https://b.example.com/a',
      'The client metadata of b.example.com is not usable: address_not_public',
      () => Promise.reject(new Error('forbidden_address')),
    ],
    [
      'https://c.example.com/a',
      'The client metadata of c.example.com is not usable: client_id_differs',
      { body: { ...DOCUMENT, client_id: '<script>' } },
    ],
    [
      'https://d.example.com/a',
      'The client metadata of d.example.com is not usable: invalid_redirect_uri: redirect_uris[0] has no host',
      { body: { client_id: 'https://d.example.com/a', redirect_uris: ['custom:text-of-the-document'] } },
    ],
    [
      'https://e.example.com/a',
      'The client metadata of e.example.com is not usable: unreachable',
      () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1:443')),
    ],
    [
      'https://f.example.com/a',
      'The client metadata of f.example.com is not usable: timeout',
      () => Promise.reject(new Error('timeout')),
    ],
    [
      'https://g.example.com/a',
      'The client metadata of g.example.com is not usable: too_large',
      { body: { ...DOCUMENT, client_id: 'https://g.example.com/a', filler: 'a'.repeat(5120) } },
    ],
  ])(
    '%s: no redirect, but 400, and 401 at the token endpoint',
    async (...[client_id, description, served]) => {
      const w = await setUp({ metadata: { allowed_hosts: ['*.example.com'] } })
      if (served !== null) w.documents.serve(client_id, served)
      const response = await w.browser().authorize({ client_id })
      expect([response.status, response.headers.get('location')]).toEqual([400, null])
      expect(await response.json()).toEqual({ error: 'invalid_request', error_description: description })
      const [, reason = ''] = / usable: (\w+)/.exec(description) ?? []
      const host = reason === 'invalid_url' ? null : new URL(client_id).hostname
      expect(documentEvents(w.events)).toEqual([[host, reason]])
      expect(w.events.at(-1)).toMatchObject({
        type: 'request.refused',
        client_id: null,
        reason: `document_${reason}`,
      })
      expect(JSON.stringify(w.events)).not.toMatch(/secret|<script|text-of/)

      const refused = await redeem(w, 'code', { client_id })
      const unknown = await redeem(w, 'code', { client_id: 'nothing' })
      expect([refused.status, refused.body]).toEqual([401, unknown.body])
      const fetched = !['invalid_url', 'host_not_allowed'].includes(reason)
      expect(w.documents.requests).toHaveLength(fetched ? 1 : 0)
    },
  )

  it('is a page for a browser that navigates', async () => {
    const kinds: unknown[] = []
    const interactions = {
      login: async () => new Response('login'),
      async error({ kind, status, description }: { kind: unknown; status: number; description: string }) {
        kinds.push([kind, status, description])
        return new Response('the page', { headers: { 'content-type': 'text/html' } })
      },
    }
    const w = await setUp({ interactions })
    w.documents.down.add('*')
    const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
    const url = `${w.issuer}/oauth/authorize?${new URLSearchParams({ client_id: CLIENT_ID })}`
    const response = await w.provider.fetch(new Request(url, { headers }))
    expect([response.status, await response.text()]).toEqual([400, 'the page'])
    const description = 'The client metadata of client.example.com is not usable: unreachable'
    expect(kinds).toEqual([['unknown_client', 400, description]])
  })

  it('has a redirect_uri that the document does not name', async () => {
    const w = await setUp()
    const response = await authorize(w.browser(), { redirect_uri: 'https://attacker.example/callback' })
    expect(response.status).toBe(400)
    expect((await response.json()).error_description).toBe(
      'The redirect_uri is not registered for this client',
    )
  })

  it.each([
    ['is down', (w: DocumentWorld) => w.documents.down.add('*')],
    [
      'has another document',
      (w: DocumentWorld) => w.documents.put({ ...DOCUMENT, redirect_uris: [LOOPBACK] }),
    ],
  ])('is checked again after the sign-in and after the consent, when the host %s', async (_, change) => {
    for (const step of ['resume', 'consent'] as const) {
      const w = await setUp({ oidc: { tokens: { pending_authorization: 7200 } } })
      const browser = w.browser()
      await authorize(browser)
      if (step === 'consent') await browser.signIn()
      change(w)
      w.clock.now += 3600
      const response = step === 'consent' ? await browser.approve() : await browser.signIn()
      expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request'])
    }
  })

  it('answers 429 when a budget is used up, at both endpoints, and the page says so', async () => {
    const w = await setUp()
    for (let index = 0; index < 30; index += 1)
      await w.browser().authorize({ client_id: `https://client.example.com/${index}` })
    const response = await authorize(w.browser())
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await response.json()).error).toBe('temporarily_unavailable')
    expect((await redeem(w, 'code', { client_id: CLIENT_ID })).status).toBe(429)
    w.clock.now += 60
    expect((await obtainTokens(w)).status).toBe(200)
  })
})

describe('the document', () => {
  it('is read once for requests at the same time', async () => {
    const w = await setUp()
    let serve = (_: FetchedDocument) => {}
    const held = new Promise<FetchedDocument>((resolve) => {
      serve = resolve
    })
    w.documents.serve(CLIENT_ID, () => held)
    const requests = [
      authorize(w.browser()),
      authorize(w.browser()),
      redeem(w, 'code', { client_id: CLIENT_ID }),
    ]
    const first = await Promise.race([...requests, new Promise((resolve) => setTimeout(resolve, 20, 'held'))])
    serve(published({ body: DOCUMENT }))
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect([first, statuses, w.documents.requests.length]).toEqual(['held', [302, 302, 400], 1])
  })

  it('is asked for again when it is no longer fresh, and its change counts', async () => {
    const w = await setUp()
    w.documents.serve(CLIENT_ID, { body: DOCUMENT, headers: { etag: '"1"', 'cache-control': 'max-age=600' } })
    const { browser } = await obtainTokens(w)
    w.clock.now += 600
    w.documents.serve(CLIENT_ID, { status: 304, headers: { 'cache-control': 'max-age=600' }, body: '' })
    expect(await outcome(await authorize(browser))).toBe('code')
    expect(w.documents.requests.at(-1)?.options.headers).toEqual({ 'if-none-match': '"1"' })
    w.clock.now += 600
    w.documents.put({ ...DOCUMENT, redirect_uris: ['https://other.example/callback'] })
    expect(await outcome(await authorize(browser))).toBe('invalid_request')
    expect(documentEvents(w.events)).toEqual([true, false, true])
  })

  it('is refused by authorize when its host is down, and counts for 7 days at the token endpoint', async () => {
    const w = await setUp({ oidc: { tokens: { offline_absolute: 30 * DAY, refresh_token: 30 * DAY } } })
    const scope = 'openid offline_access'
    const { body, browser } = await obtainTokens(w, { scope, prompt: 'consent' })
    w.documents.down.add('*')
    const last = w.clock.now
    w.clock.now += 3600
    expect(await outcome(await authorize(browser))).toBe('invalid_request')
    let { refresh_token } = body
    const servers = [w, await otherServer(w)]
    for (const seconds of [3600, DAY, 7 * DAY - 1])
      for (const server of servers) {
        w.clock.now = last + seconds
        const refreshed = await refresh(server, refresh_token)
        expect([seconds, refreshed.status]).toEqual([seconds, 200])
        refresh_token = refreshed.body.refresh_token
        expect(await outcome(await authorize(server.browser()))).toBe('invalid_request')
      }
    w.clock.now = last + 7 * DAY
    const revoke = async (server: World) =>
      (await server.post('/oauth/revoke', { client_id: CLIENT_ID, token: 'unknown' })).status
    w.clock.now -= 1
    expect(await Promise.all(servers.map(revoke))).toEqual([200, 200])
    w.clock.now += 1
    expect(await Promise.all(servers.map(revoke))).toEqual([401, 401])
    for (const server of [...servers, await otherServer(w)]) {
      const refused = await refresh(server, refresh_token)
      expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client'])
    }
    w.documents.down.clear()
    w.clock.now += 240
    expect((await refresh(w, refresh_token)).status).toBe(200)
  })

  it('is known to another server that finishes what the first began, and to one that starts later', async () => {
    const w = await setUp()
    const other = await otherServer(w)
    const browser = w.browser()
    const { code } = await browser.code({ client_id: CLIENT_ID })
    const requests = w.documents.requests.length
    w.documents.down.add('*')
    const { status, body } = await redeem(other, code, { client_id: CLIENT_ID })
    expect([status, w.documents.requests.length]).toEqual([200, requests])
    // Fresh: no request, not even for authorize.
    expect((await refresh(await otherServer(w), body.refresh_token)).status).toBe(200)
    expect(await outcome(await authorize((await otherServer(w)).browser()))).toBe('login')
    expect(w.documents.requests.length).toBe(requests)
  })

  it('is stored for the first code, and again for each request to its host; never without a user', async () => {
    const w = await setUp()
    const stored = () => w.storage('default').client_documents.find(CLIENT_ID)
    await authorize(w.browser())
    await redeem(w, 'code', { client_id: CLIENT_ID })
    expect(await stored()).toBeNull()
    const start = w.clock.now
    const { body } = await obtainTokens(w)
    const first = await stored()
    expect(first).toEqual({
      client_id: CLIENT_ID,
      document: JSON.stringify(DOCUMENT),
      etag: null,
      last_modified: null,
      fetched_at: start,
      fresh_until: start + 3600,
      changed_at: start,
      expires_at: start + 90 * DAY,
    })
    w.clock.now += 3600
    await redeem(w, 'wrong', { client_id: CLIENT_ID })
    expect(await stored()).toEqual(first)
    await refresh(w, body.refresh_token)
    expect(await stored()).toEqual({
      ...first,
      fetched_at: start + 3600,
      fresh_until: start + 7200,
      expires_at: start + 3600 + 90 * DAY,
    })
  })

  it('does not count any more when the configuration refuses it', async () => {
    const w = await setUp()
    const { body } = await obtainTokens(w)
    for (const changes of [
      { metadata: { allowed_hosts: ['other.example'] } },
      { oidc: { clients: { registration: { allowed_redirect_domains: ['other.example'] } } } },
      { metadata: { enabled: false } },
    ]) {
      const strict = await otherServer(w, changes)
      expect((await refresh(strict, body.refresh_token)).body.error).toBe('invalid_client')
      expect(await outcome(await authorize(strict.browser()))).toBe('invalid_request')
    }
    expect((await refresh(w, body.refresh_token)).status).toBe(200)
  })

  it('that a server cannot store does not cost a client its rotated refresh token', async () => {
    const memory = memoryStorage()
    let works = true
    const storage: typeof memory = Object.assign((realm: string) => {
      const stores = memory(realm)
      const put: typeof stores.client_documents.put = (document) =>
        works ? stores.client_documents.put(document) : Promise.reject(new Error('read-only'))
      return { ...stores, client_documents: { ...stores.client_documents, put } }
    }, memory)
    const w = await setUp({ storage })
    const { body } = await obtainTokens(w)
    works = false
    w.clock.now += 3600
    expect((await refresh(w, body.refresh_token)).status).toBe(200)
    expect(w.events.at(-1)).toMatchObject({ type: 'server.error' })
  })
})

describe('the consent to a client with a document', () => {
  const moved = { ...DOCUMENT, redirect_uris: [REDIRECT_URI, 'https://other.example/callback'] }

  it('does not count after a change of the redirect hosts, and then has only the scopes that were shown', async () => {
    const w = await setUp()
    const { browser } = await obtainTokens(w, { scope: 'openid profile email phone' })
    w.documents.put(moved)
    w.clock.now += 3600
    const narrow = { scope: 'openid' }
    expect(await outcome(await authorize(browser, { ...narrow, prompt: 'none' }))).toBe('consent_required')
    expect(await outcome(await authorize(browser, narrow))).toBe('view')
    expect(await outcome(await browser.approve())).toBe('code')
    expect(await outcome(await authorize(browser, narrow))).toBe('code')
    expect(await outcome(await authorize(browser, { scope: 'openid phone' }))).toBe('view')
    const [row] = await w.storage('default').consents.list('alice')
    expect(row).toMatchObject({ scopes: ['openid'], revoked_at: null })
  })

  it.each([
    ['counts while the stored document is kept, 90 days', 90 * DAY - 1, 'code'],
    ['does not count after the stored document has expired', 90 * DAY, 'view'],
  ])('%s', async (_, seconds, expected) => {
    const w = await setUp()
    await obtainTokens(w)
    w.clock.now += seconds
    const browser = w.browser()
    await authorize(browser)
    expect(await outcome(await browser.signIn())).toBe(expected)
  })

  it('of another user does not count either, after one has approved the changed document', async () => {
    const w = await setUp()
    const [alice, bob] = [w.browser(), w.browser()]
    await alice.code({ client_id: CLIENT_ID })
    await bob.code({ client_id: CLIENT_ID }, 'bob')
    w.documents.put(moved)
    w.clock.now += 3600
    expect(await outcome(await authorize(alice))).toBe('view')
    expect(await outcome(await alice.approve())).toBe('code')
    expect(await outcome(await authorize(bob))).toBe('view')
    expect(await outcome(await bob.approve())).toBe('code')
    expect(await outcome(await authorize(alice))).toBe('code')
  })

  it('given on a server that still knows the old document does not count for the new one', async () => {
    const w = await setUp()
    w.documents.serve(CLIENT_ID, { body: DOCUMENT, headers: { 'cache-control': 'max-age=86400' } })
    const old = await otherServer(w)
    await old.browser().code({ client_id: CLIENT_ID }, 'bob')
    w.documents.put(moved)
    const current = await otherServer(w)
    w.clock.now += DAY - 10
    await w.storage('default').client_documents.delete(CLIENT_ID)
    const alice = current.browser()
    await authorize(alice)
    await alice.signIn()
    const bob = old.browser()
    await authorize(bob)
    await bob.signIn('bob')
    w.clock.now += 1
    // The old document is stored again, and then the new one.
    expect(await outcome(await bob.approve())).toBe('code')
    w.clock.now += 1
    expect(await outcome(await alice.approve())).toBe('code')
    const stored = await w.storage('default').client_documents.find(CLIENT_ID)
    expect(stored).toMatchObject({ document: JSON.stringify(moved), changed_at: w.clock.now })
    // The old server sees the stored document, although its own is still fresh.
    expect(await outcome(await authorize(bob))).toBe('view')
  })

  it('is not stored when the document changed while the view was open', async () => {
    const w = await setUp()
    const browser = w.browser()
    await authorize(browser)
    await browser.signIn()
    w.documents.put(moved)
    const other = await otherServer(w)
    w.clock.now += 1
    // The other server has read the new document.
    const { action, auth_token } = w.consents.at(-1) ?? { action: '', auth_token: '' }
    const form = formRequest(action, { auth_token }, { headers: { cookie: browser.jar.header() } })
    expect(await outcome(await other.provider.fetch(form))).toBe('consent_required')
    expect(await w.storage('default').consents.list('alice')).toEqual([])
    expect(other.events.at(-1)).toMatchObject({ type: 'authorization.refused', reason: 'client_changed' })
  })

  it('does not count for a document that another request has read during the approval', async () => {
    const memory = memoryStorage()
    let during = async () => {}
    const storage: typeof memory = Object.assign((realm: string) => {
      const stores = memory(realm)
      const merge: typeof stores.consents.merge = async (approval, now) => {
        await during()
        await stores.consents.merge(approval, now)
      }
      return { ...stores, consents: { ...stores.consents, merge } }
    }, memory)
    const w = await setUp({ storage })
    w.documents.serve(CLIENT_ID, { body: DOCUMENT, headers: { 'cache-control': 'no-store' } })
    const browser = w.browser()
    await authorize(browser)
    await browser.signIn()
    during = async () => {
      w.documents.put(moved)
      w.clock.now += 300
      await authorize(w.browser())
    }
    expect(await outcome(await browser.approve())).toBe('consent_required')
    during = async () => {}
    expect(await outcome(await authorize(browser))).toBe('view')
    expect(await w.storage('default').client_documents.find(CLIENT_ID)).toBeNull()
  })

  it.each([
    ['name', { client_name: 'Another' }, 'code'],
    ['redirect path', { redirect_uris: [REDIRECT_URI, 'https://client.example.com/other'] }, 'code'],
    ['authentication methods', { token_endpoint_auth_methods: ['none', 'private_key_jwt'] }, 'view'],
  ])('after a change of the %s: %s', async (_, change, expected) => {
    const w = await setUp()
    const { browser } = await obtainTokens(w)
    w.documents.put({ ...DOCUMENT, jwks_uri: 'https://client.example.com/keys', ...change })
    w.clock.now += 3600
    expect(await outcome(await authorize(browser))).toBe(expected)
  })

  it('does not count when the stored document is gone', async () => {
    const w = await setUp()
    const { browser } = await obtainTokens(w)
    await w.storage('default').client_documents.delete(CLIENT_ID)
    expect(await outcome(await authorize(browser))).toBe('view')
    expect(await outcome(await browser.approve())).toBe('code')
    expect(await outcome(await authorize(browser))).toBe('code')
  })
})

describe('a redirect to the computer of the user', () => {
  const schemes = { allowed_redirect_schemes: ['cursor'], allowed_private_use_schemes: ['com.example.app'] }
  const app = (redirect_uris: string[], more: object = {}) => ({ ...DOCUMENT, redirect_uris, ...more })
  const keys = { jwks_uri: 'https://client.example.com/keys' }
  const second = async (w: World, redirect_uri: string, client_id = CLIENT_ID) => {
    const browser = w.browser()
    await browser.code({ client_id, redirect_uri })
    const silent = await browser.authorize({ client_id, redirect_uri, prompt: 'none' })
    return [await outcome(await browser.authorize({ client_id, redirect_uri })), await outcome(silent)]
  }

  it.each<[string, string[], string, boolean]>([
    ['http://localhost/callback', [LOOPBACK], 'http://localhost:4711/callback', true],
    ['http://127.0.0.1/callback', ['http://127.0.0.1/callback'], 'http://127.0.0.1:1/callback', true],
    ['http://[::1]/callback', ['http://[::1]/callback'], 'http://[::1]:1/callback', true],
    ['https://localhost/callback', ['https://localhost/callback'], 'https://localhost/callback', true],
    ['http://a.localhost/', ['http://a.localhost/'], 'http://a.localhost/', true],
    ['http://127.1.2.3/', ['http://127.1.2.3/'], 'http://127.1.2.3/', true],
    ['cursor://callback', ['cursor://callback'], 'cursor://callback', false],
    ['com.example.app:/callback', ['com.example.app:/callback'], 'com.example.app:/callback', false],
    ['one of several', [REDIRECT_URI, LOOPBACK], LOOPBACK, false],
  ])('is asked about every time: %s', async (...[, redirect_uris, redirect_uri, loopback_only]) => {
    const w = await setUp({ oidc: { clients: { registration: schemes } } })
    w.documents.put(app(redirect_uris))
    expect(await second(w, redirect_uri)).toEqual(['view', 'consent_required'])
    expect(w.consents.at(-1)?.loopback_only).toBe(loopback_only)
  })

  it('is not asked about again for the other redirect URI, or a client that always authenticates', async () => {
    const w = await setUp()
    w.documents.put(app([REDIRECT_URI, LOOPBACK]))
    expect(await second(w, REDIRECT_URI)).toEqual(['code', 'code'])
    w.clock.now += 3600
    w.documents.put(app([LOOPBACK], { ...keys, token_endpoint_auth_method: 'private_key_jwt' }))
    expect(await second(w, LOOPBACK)).toEqual(['code', 'code'])
    w.clock.now += 3600
    const both = { token_endpoint_auth_methods: ['none', 'private_key_jwt'] }
    w.documents.put(app([LOOPBACK], { ...keys, ...both, token_endpoint_auth_method: 'private_key_jwt' }))
    expect(await second(w, LOOPBACK)).toEqual(['view', 'consent_required'])
  })

  it('of a client that registered itself is asked about every time where its id is shared', async () => {
    const fields = { redirect_uris: [LOOPBACK], client_id: 'app' }
    const clients = [await client({ ...fields, origin: 'registered' })]
    const reuse = { clients: { registration: { reuse: true } } }
    expect(await second(await world({ clients, oidc: reuse }), LOOPBACK, 'app')).toEqual([
      'view',
      'consent_required',
    ])
    expect(await second(await world({ clients }), LOOPBACK, 'app')).toEqual(['code', 'code'])
    const operator = [await client(fields)]
    expect(await second(await world({ clients: operator, oidc: reuse }), LOOPBACK, 'app')).toEqual([
      'code',
      'code',
    ])
  })
})
