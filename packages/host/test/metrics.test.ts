import { describe, expect, it } from 'vitest'
import { createMetrics, exposition } from '../src/metrics/prometheus.ts'
import { routeLabels } from '../src/server/route-labels.ts'
import { FILE, type RunningApp, startApp } from './support.ts'

const NOTHING_MEASURED = { figures: undefined, keyAges: async () => [] }

const textOf = async (metrics: ReturnType<typeof createMetrics>) =>
  exposition([await metrics.snapshot(NOTHING_MEASURED)])

const linesOf = async (metrics: ReturnType<typeof createMetrics>) => (await textOf(metrics)).split('\n')

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
    const lines = await linesOf(createMetrics())
    const header = lines.filter(
      (line) => line.startsWith(`# HELP ${name} `) || line.startsWith(`# TYPE ${name} `),
    )
    expect(header).toEqual([`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`])
  })

  it('has one line for each sample; labels are escaped', async () => {
    const metrics = createMetrics()
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
    const metrics = createMetrics()
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
      const metrics = createMetrics()
      for (let i = 0; i < n; i++) metrics.countRequest({ ...request, seconds: n })
      metrics.countRequest({ ...request, route: `only ${n}` })
      const figures = {
        deliveries_waiting: async () => n,
        pool: () => ({ unanswered: n, connections: 10 }),
      }
      const keyAges = async (): Promise<[string, number][]> => [['default', n]]
      const snapshot = await metrics.snapshot({ figures, keyAges })
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
      'ostiary_signing_key_age_seconds{realm="default"} 3',
      'ostiary_database_queries 4',
      'ostiary_database_connections_max 20',
    ])
      expect(lines).toContain(line)
    const [start = ''] = lines.filter((line) => line.startsWith('process_start_time_seconds '))
    expect(Number(start.split(' ')[1])).toBeLessThanOrEqual(Date.now() / 1000)
  })

  it('has the default metrics of the process too', async () => {
    expect(await textOf(createMetrics())).toMatch(/^nodejs_eventloop_lag_mean_seconds /m)
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
    const lines = (await text(started)).split('\n')
    expect(lines.filter((line) => line.startsWith('ostiary_token_requests_total{'))).toEqual([
      'ostiary_token_requests_total{grant="client_credentials",outcome="issued"} 1',
      'ostiary_token_requests_total{grant="client_credentials",outcome="invalid_client"} 1',
      'ostiary_token_requests_total{grant="other",outcome="unsupported_grant_type"} 13',
    ])
  })

  it('the age of the newest key, by realm', async () => {
    expect(await text(await startApp({ ...FILE, ...SHOWN }))).toMatch(
      /^ostiary_signing_key_age_seconds\{realm="default"\} \d+$/m,
    )
  })

  it('logins and events', async () => {
    const metrics = createMetrics()
    const common = { time: 0, realm: 'default', sub: 'ann' }
    metrics.countEvent({ ...common, type: 'session.started', sid: 's', amr: ['pwd'] })
    metrics.countEvent({
      ...common,
      type: 'login.refused',
      reason: 'throttled',
      client_id: 'a',
      address: null,
    })
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

  it('the other values while the database is unavailable', async () => {
    const unavailable = async () => Promise.reject(new Error('no connection'))
    const figures = { deliveries_waiting: unavailable, pool: () => ({ unanswered: 12, connections: 10 }) }
    const found = await exposition([await createMetrics().snapshot({ figures, keyAges: unavailable })])
    expect(found).not.toContain('ostiary_logout_deliveries_waiting')
    expect(found).toContain('ostiary_database_queries 12\n')
    expect(found).toContain('ostiary_database_connections_max 10\n')
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
    ['/demo/demo.js', 'demo'],
    ['/readyz', 'readyz'],
    ['/.well-known/security.txt', 'other'],
    ['/logins', 'other'],
    ['', 'other'],
  ])('%s: %s', async (path, name) => {
    const provider = { url: (route: string) => `http://localhost${PATHS[route] ?? `/${route}`}` }
    expect(routeLabels(provider as never, ['default'])(path).route).toBe(name)
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

const PATHS: Record<string, string> = {
  'oidc.token': '/oauth/token',
  'oidc.approve': '/oauth/authorize/consent',
  'oidc.protected-resource': '/.well-known/oauth-protected-resource',
}
