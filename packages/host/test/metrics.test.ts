import { createProvider } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp, createLog, type HostStorage } from '../src/index.ts'
import { exposition } from '../src/metrics/prometheus.ts'
import { routeLabels } from '../src/server/route-labels.ts'
import { linesOf, measured, metricsOf, NOT_REFUSED, NOW, textOf } from './measured.ts'
import { configure, FILE, inMemory, type RunningApp, startApp } from './support.ts'

const request = { route: 'oidc.token', method: 'POST', status: 200, seconds: 0.005 }

describe('the text for Prometheus', () => {
  it.each([
    ['ostiary_requests_total', 'counter', 'Requests answered.'],
    ['ostiary_request_duration_seconds', 'histogram', 'Time to the answer.'],
    ['ostiary_token_requests_total', 'counter', 'Requests at the token endpoint.'],
    ['ostiary_logins_total', 'counter', 'Attempts to sign in.'],
    ['ostiary_events_total', 'counter', 'Events, as docs/events.md lists them.'],
    ['process_cpu_seconds_total', 'counter', 'Processor time used.'],
    ['process_resident_memory_bytes', 'gauge', 'Memory.'],
    ['process_start_time_seconds', 'gauge', 'When it started, Unix time.'],
  ])('has the type of %s (%s) and its help, once', async (name, type, help) => {
    const lines = await linesOf(metricsOf())
    const header = lines.filter(
      (line) => line.startsWith(`# HELP ${name} `) || line.startsWith(`# TYPE ${name} `),
    )
    expect(header).toEqual([`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`])
  })

  it('has one line for each sample; labels are escaped', async () => {
    const metrics = metricsOf()
    metrics.countRequest({ ...request, route: 'a "quoted" \\ one\n' })
    metrics.countRequest(request)
    metrics.countRequest(request)
    const lines = (await linesOf(metrics)).filter((line) => line.startsWith('ostiary_requests_total{'))
    expect(lines).toEqual([
      'ostiary_requests_total{route="a \\"quoted\\" \\\\ one\\n",method="POST",status="200"} 1',
      'ostiary_requests_total{route="oidc.token",method="POST",status="200"} 2',
    ])
  })

  it('a histogram counts up to each bound, the bound included', async () => {
    const metrics = metricsOf()
    for (const seconds of [0.005, 0.02, 70]) metrics.countRequest({ ...request, seconds })
    const lines = await linesOf(metrics)
    const name = 'ostiary_request_duration_seconds'
    for (const line of [
      `${name}_bucket{le="0.005",route="oidc.token"} 1`,
      `${name}_bucket{le="0.01",route="oidc.token"} 1`,
      `${name}_bucket{le="0.025",route="oidc.token"} 2`,
      `${name}_bucket{le="10",route="oidc.token"} 2`,
      `${name}_bucket{le="+Inf",route="oidc.token"} 3`,
      `${name}_sum{route="oidc.token"} 70.025`,
      `${name}_count{route="oidc.token"} 3`,
    ])
      expect(lines).toContain(line)
  })

  it('of several processes is the sum, except where all of them measure the same', async () => {
    const snapshotOf = async (n: number) => {
      const metrics = await measured({
        readiness: async () => ({ ready: n === 1, parts: { database: n === 1 } }),
        figures: {
          database: async () => ({
            deliveries_waiting: n,
            oldest_delivery_at: NOW - n,
            mails_waiting: 2 * n,
            oldest_mail_at: n === 1 ? null : NOW - 4 * n,
          }),
        },
        newest_keys: async () => [{ realm: 'default', created_at: NOW - n }],
        pool: () => ({
          unanswered: n,
          connections: 10,
          refused: { ...NOT_REFUSED, too_many_connections: n, connection_refused: 2 * n },
        }),
        passwords: () => ({ running: 1, waiting: n, places: 64 }),
      })
      for (let i = 0; i < n; i++) metrics.countRequest({ ...request, seconds: n })
      metrics.countRequest({ ...request, route: `only ${n}` })
      const snapshot = await metrics.snapshot()
      // As it arrives from another process.
      return JSON.parse(JSON.stringify(snapshot)) as typeof snapshot
    }
    const lines = (await exposition([await snapshotOf(1), await snapshotOf(3), []])).split('\n')
    for (const line of [
      'ostiary_requests_total{route="oidc.token",method="POST",status="200"} 4',
      'ostiary_requests_total{route="only 1",method="POST",status="200"} 1',
      'ostiary_requests_total{route="only 3",method="POST",status="200"} 1',
      'ostiary_request_duration_seconds_bucket{le="1",route="oidc.token"} 1',
      'ostiary_request_duration_seconds_bucket{le="+Inf",route="oidc.token"} 4',
      'ostiary_request_duration_seconds_sum{route="oidc.token"} 10',
      'ostiary_logout_deliveries_waiting 3',
      'ostiary_logout_deliveries_oldest_age_seconds 3',
      'ostiary_mail_pending 6',
      'ostiary_mail_oldest_seconds 12',
      'ostiary_ready 0',
      'ostiary_part_up{part="database"} 0',
      'ostiary_password_checks_waiting 4',
      'ostiary_password_checks_waiting_max 128',
      'ostiary_build_info{version="0.0.0",schema="none"} 1',
      'ostiary_signing_key_age_seconds{realm="default"} 3',
      'ostiary_database_queries 4',
      'ostiary_database_refusals_total{reason="too_many_connections"} 4',
      'ostiary_database_refusals_total{reason="connection_refused"} 8',
      'ostiary_database_refusals_total{reason="cannot_connect_now"} 0',
      'ostiary_database_connections_max 20',
    ])
      expect(lines).toContain(line)
    const [start = ''] = lines.filter((line) => line.startsWith('process_start_time_seconds '))
    expect(Number(start.split(' ')[1])).toBeLessThanOrEqual(Date.now() / 1000)
  })

  it('has the default metrics of the process too', async () => {
    expect(await textOf(metricsOf())).toMatch(/^nodejs_eventloop_lag_mean_seconds /m)
  })
})

const SHOWN = { server: { metrics: { port: 9464 } } }

describe('what a server counts', () => {
  const text = async ({ app }: RunningApp) => exposition([await app.metrics()])

  it('requests by route, method and status; an unknown path and method are one label', async () => {
    const started = await startApp({ ...FILE, ...SHOWN })
    await started.get('/.well-known/openid-configuration')
    for (const path of ['/wp-admin', '/%00', '/oauth/token/x', '/oauth'])
      await started.get(path, { method: 'PROPFIND' })
    const lines = (await text(started)).split('\n')
    expect(lines).toContain('ostiary_requests_total{route="oidc.discovery",method="GET",status="200"} 1')
    expect(lines).toContain('ostiary_requests_total{route="other",method="other",status="404"} 4')
    expect(lines).toContain('ostiary_request_duration_seconds_count{route="other"} 4')
  })

  it('tokens by grant and outcome: a client cannot add a label', async () => {
    const started = await startApp({
      ...FILE,
      ...SHOWN,
      clients: [{ client_id: 'worker', client_secret: 'x'.repeat(32), grant_types: ['client_credentials'] }],
    })
    const ask = (form: Record<string, string>) =>
      started.get('/oauth/token', { method: 'POST', body: new URLSearchParams(form) })
    await ask({ grant_type: 'client_credentials', client_id: 'worker', client_secret: 'x'.repeat(32) })
    await ask({ grant_type: 'client_credentials', client_id: 'worker', client_secret: 'wrong' })
    for (const grant_type of ['made"up', ...Object.getOwnPropertyNames(Object.prototype)])
      await ask({ grant_type })
    for (const name of ['device_code', 'token-exchange'])
      await ask({ grant_type: `urn:ietf:params:oauth:grant-type:${name}` })
    const lines = (await text(started)).split('\n')
    expect(lines.filter((line) => line.startsWith('ostiary_token_requests_total{'))).toEqual([
      'ostiary_token_requests_total{grant="client_credentials",outcome="issued"} 1',
      'ostiary_token_requests_total{grant="client_credentials",outcome="invalid_client"} 1',
      'ostiary_token_requests_total{grant="other",outcome="unsupported_grant_type"} 13',
      'ostiary_token_requests_total{grant="device_code",outcome="unsupported_grant_type"} 1',
      'ostiary_token_requests_total{grant="token_exchange",outcome="unsupported_grant_type"} 1',
    ])
  })

  it('a form with more than 200 parameters is not read for its grant', async () => {
    const started = await startApp({ ...FILE, ...SHOWN })
    const ask = (count: number) => {
      const others = Array.from({ length: count - 1 }, (_, index) => [`p${index}`, 'x'])
      const body = new URLSearchParams([['grant_type', 'client_credentials'], ...others])
      return started.get('/oauth/token', { method: 'POST', body })
    }
    for (const count of [200, 201]) await ask(count)
    const lines = (await text(started)).split('\n')
    expect(lines.filter((line) => line.startsWith('ostiary_token_requests_total{'))).toEqual([
      'ostiary_token_requests_total{grant="client_credentials",outcome="invalid_client"} 1',
      'ostiary_token_requests_total{grant="other",outcome="invalid_request"} 1',
    ])
  })

  it('DPoP proofs that are refused, by reason: a client cannot add a label', async () => {
    const worker = { client_id: 'worker', client_secret: 'x'.repeat(32) }
    const started = await startApp({
      ...FILE,
      ...SHOWN,
      oidc: { dpop: 'on' },
      clients: [{ ...worker, grant_types: ['client_credentials'] }],
    })
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...worker })
    for (const dpop of ['made"up', 'a.b.c', 'a,b']) {
      const answer = await started.get('/oauth/token', { method: 'POST', body, headers: { dpop } })
      expect(answer.status).toBe(400)
    }
    const lines = (await text(started)).split('\n')
    expect(lines.filter((line) => line.startsWith('ostiary_dpop_refusals_total{'))).toEqual([
      'ostiary_dpop_refusals_total{reason="malformed_proof"} 2',
      'ostiary_dpop_refusals_total{reason="several_proofs"} 1',
    ])
    expect(lines).toContain(
      'ostiary_token_requests_total{grant="client_credentials",outcome="invalid_dpop_proof"} 3',
    )
  })

  it('clients that do not authenticate, and their documents, by reason: a client cannot add a label', async () => {
    const started = await startApp({ ...FILE, ...SHOWN, oidc: { preset: 'mcp' } })
    const ask = (form: Record<string, string>) =>
      started.get('/oauth/token', { method: 'POST', body: new URLSearchParams(form) })
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    for (const client_assertion of ['made"up', 'a.b.c', '...'])
      await ask({ grant_type: 'authorization_code', client_assertion_type, client_assertion })
    await ask({ grant_type: 'authorization_code', client_id: 'made"up' })
    const documents = ['client.localhost', 'made-up.localhost', '127.0.0.1', 'made"up']
    for (const host of documents) {
      const query = new URLSearchParams({ client_id: `https://${host}/client.json`, response_type: 'code' })
      await started.get(`/oauth/authorize?${query}`)
    }
    await started.get('/oauth/register', {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: ['http://localhost/cb'] }),
    })
    await started.get('/oauth/register', {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: ['http://localhost/cb'] }),
    })
    const lines = (await text(started)).split('\n')
    const counted = (name: string) =>
      lines.filter((line) => line.startsWith(`${name}{`) && !line.endsWith(' 0'))
    expect(counted('ostiary_client_authentication_failures_total')).toEqual([
      'ostiary_client_authentication_failures_total{reason="malformed_assertion"} 3',
      'ostiary_client_authentication_failures_total{reason="unknown_client"} 1',
    ])
    expect(counted('ostiary_client_documents_total')).toEqual([
      'ostiary_client_documents_total{outcome="unreachable"} 2',
      'ostiary_client_documents_total{outcome="invalid_url"} 2',
    ])
    expect(lines).toContain('ostiary_events_total{type="client.registered"} 1')
    expect(lines).toContain('ostiary_events_total{type="client.registration_reused"} 1')
  })

  it('documents that were read are counted', async () => {
    const metrics = metricsOf()
    const event = { time: 1, realm: 'default', client_id: 'https://client.example/c', changed: true }
    metrics.countEvent({ type: 'client_document.fetched', ...event }, null)
    expect(await linesOf(metrics)).toContain('ostiary_client_documents_total{outcome="fetched"} 1')
  })

  it('the age of the newest key, by realm', async () => {
    const started = await startApp({ ...FILE, ...SHOWN })
    const age = /^ostiary_signing_key_age_seconds\{realm="default"\} \d+$/m
    await eventually(async () => expect(await text(started)).toMatch(age))
  })

  it('logins and events', async () => {
    const metrics = metricsOf()
    const common = { time: 0, realm: 'default', sub: 'ann' }
    metrics.countEvent(
      {
        ...common,
        type: 'session.started',
        sid: 's',
        amr: ['pwd'],
        client_id: null,
        username: 'ann',
        address: null,
        user_agent: null,
      },
      null,
    )
    metrics.countEvent(
      {
        ...common,
        type: 'login.refused',
        reason: 'throttled',
        client_id: 'a',
        address: null,
      },
      null,
    )
    const lines = await linesOf(metrics)
    for (const line of [
      'ostiary_logins_total{outcome="success"} 1',
      'ostiary_logins_total{outcome="throttled"} 1',
      'ostiary_events_total{type="session.started"} 1',
    ])
      expect(lines).toContain(line)
  })

  it('nothing where no metrics are shown', async () => {
    const started = await startApp()
    await started.get('/healthz')
    expect(await started.app.metrics()).toEqual([])
  })

  it('an error redirect by its code, and the failure behind it by route, kind and realm', async () => {
    const metrics = metricsOf()
    const common = { time: 0, realm: 'default' }
    const refusal = {
      client_id: 'app',
      reason: 'x',
      description: 'x',
      redirect_uri: null,
      sent: null,
      hint: null,
    }
    for (const error of ['temporarily_unavailable', 'temporarily_unavailable', 'login_required'] as const)
      metrics.countEvent({ ...common, ...refusal, type: 'authorization.refused', error }, 'oidc.authorize')
    const outage = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const failed = { type: 'server.error', route: null } as const
    metrics.countEvent({ ...common, ...failed, cause: outage }, 'oidc.authorize')
    metrics.countEvent({ ...common, ...failed, cause: new Error('a bug') }, null)
    metrics.countEvent({ ...common, ...failed, realm: 'a-text-of-a-client', cause: null }, null)
    const lines = await linesOf(metrics)
    for (const line of [
      'ostiary_authorization_errors_total{error="temporarily_unavailable"} 2',
      'ostiary_authorization_errors_total{error="login_required"} 1',
      'ostiary_server_errors_total{route="oidc.authorize",kind="outage"} 1',
      'ostiary_server_errors_total{route="background",kind="fault"} 2',
      'ostiary_realm_errors_total{realm="default"} 2',
      'ostiary_realm_errors_total{realm="other"} 1',
    ])
      expect(lines).toContain(line)
    expect(lines.join()).not.toContain('a-text-of-a-client')
  })

  it('failures by the route of their request, also those of the sign-in page, which events do not name', async () => {
    const config = await configure({ ...FILE, ...SHOWN })
    const down = async () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    const memory = inMemory()
    const users: HostStorage['users'] = (realm) => ({
      ...memory.users(realm),
      findByUsername: down,
      find: down,
    })
    const storage: HostStorage['storage'] = (realm) => {
      const stores = memory.storage(realm)
      return {
        ...stores,
        throttle: { ...stores.throttle, hit: down, read: down } as never,
        clients: { ...stores.clients, find: down },
      }
    }
    const app = await createApp(config, {
      log: createLog({ write: () => {} }),
      storage: { ...memory, users, storage },
    })
    onTestFinished(() => app.stop())
    await app.fetch(new Request('http://localhost:4000/oauth/authorize?client_id=app&response_type=code'))
    const text = await exposition([await app.metrics()])
    expect(text).toContain('ostiary_server_errors_total{route="oidc.authorize",kind="outage"} 1')
  })
})

describe('the name of a route', () => {
  it.each([
    ['/oauth/token', 'oidc.token'],
    ['/oauth/authorize/consent', 'oidc.consent'],
    ['/.well-known/oauth-protected-resource/api/notes', 'oidc.protected-resource'],
    ['/login', 'login'],
    ['/login/style.css', 'login'],
    ['/account/sessions', 'account'],
    ['/.well-known/change-password', 'account'],
    ['/.well-known/passkey-endpoints', 'account'],
    ['/demo/demo.js', 'demo'],
    ['/readyz', 'readyz'],
    ['/.well-known/security.txt', 'other'],
    ['/logins', 'other'],
    ['', 'other'],
  ])('%s: %s', (path, name) => {
    expect(routeLabels(PROVIDER, ['default'])(path).route).toBe(name)
  })

  it.each([
    ['/realms/acme/oauth/token', 'oidc.token'],
    ['/realms/unknown/oauth/token', 'oidc.token'],
    ['/.well-known/oauth-authorization-server/realms/acme', 'oidc.authorization-server'],
    ['/realms/acme/login', 'login'],
  ])('with realms, %s: %s', async (path, name) => {
    const started = await startApp({
      ...SHOWN,
      app: { url: 'http://localhost:4000' },
      oidc: { routes: { realms: 'path' }, realms: { acme: {} } },
    })
    await started.get(path)
    const requests = await exposition([await started.app.metrics()])
    expect(requests).toContain(`ostiary_requests_total{route="${name}",`)
  })
})

const PROVIDER = createProvider({
  oidc: { issuer: 'http://localhost:4000' },
  secret: 'a secret of at least 32 characters, of this test',
  storage: memoryStorage(),
  accounts: { find: async () => null },
  interactions: { login: async () => new Response(), consent: async () => new Response() },
})
