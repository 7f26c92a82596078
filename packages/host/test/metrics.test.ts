import { describe, expect, it } from 'vitest'
import { createMetrics } from '../src/metrics/host-metrics.ts'
import { counter, exposition, gauge, histogram, merged } from '../src/metrics/registry.ts'
import { routeNames } from '../src/server/route-names.ts'
import { FILE, startApp } from './support.ts'

describe('the text for Prometheus', () => {
  it('has help, type, and one line a sample; labels are escaped', () => {
    const requests = counter('requests_total', 'Requests.')
    requests.add({ route: 'a "quoted" \\ one\n', method: 'GET' })
    requests.add({ route: 'b', method: 'GET' }, 2)
    requests.add({ route: 'b', method: 'GET' })
    expect(exposition([requests.family()])).toBe(
      '# HELP requests_total Requests.\n# TYPE requests_total counter\n' +
        'requests_total{route="a \\"quoted\\" \\\\ one\\n",method="GET"} 1\n' +
        'requests_total{route="b",method="GET"} 3\n',
    )
  })

  it('a histogram counts up to each bound, the bound included', () => {
    const took = histogram('took_seconds', 'Time.', [0.1, 1])
    for (const value of [0.1, 0.5, 7]) took.observe({}, value)
    expect(exposition([took.family()])).toBe(
      '# HELP took_seconds Time.\n# TYPE took_seconds histogram\n' +
        'took_seconds_bucket{le="0.1"} 1\ntook_seconds_bucket{le="1"} 2\ntook_seconds_bucket{le="+Inf"} 3\n' +
        'took_seconds_sum 7.6\ntook_seconds_count 3\n',
    )
  })

  it('of several processes is added up, but for what all of them see alike', () => {
    const one = (n: number) => {
      const served = counter('served_total', 'Served.')
      const took = histogram('took', 'Time.', [1])
      served.add({ by: 'all' }, n)
      served.add({ by: `only ${n}` })
      took.observe({}, n)
      const waiting = gauge({ name: 'waiting', help: 'Rows.', merge: 'max' }, [[{}, n]])
      return [served.family(), took.family(), waiting]
    }
    const text = exposition(merged([one(1), one(3)]))
    for (const line of [
      'served_total{by="all"} 4',
      'served_total{by="only 1"} 1',
      'served_total{by="only 3"} 1',
      'took_bucket{le="1"} 1',
      'took_bucket{le="+Inf"} 2',
      'took_sum 4',
      'took_count 2',
      'waiting 3',
    ])
      expect(text.split('\n')).toContain(line)
  })
})

describe('what a server counts', () => {
  const text = async (started: Awaited<ReturnType<typeof startApp>>) =>
    exposition(await started.app.metrics())

  it('requests by route, method and status; an unknown path and method are one label', async () => {
    const started = await startApp()
    await started.get('/.well-known/openid-configuration')
    for (const path of ['/wp-admin', '/%00', '/oauth/token/x', '/oauth'])
      await started.get(path, { method: 'PROPFIND' })
    const lines = (await text(started)).split('\n')
    expect(lines).toContain('ostiary_requests_total{route="oidc.discovery",method="GET",status="200"} 1')
    expect(lines).toContain('ostiary_requests_total{route="other",method="other",status="404"} 4')
    expect(lines).toContain('ostiary_request_duration_seconds_count{route="other"} 4')
  })

  it('tokens by grant and outcome, of which a client can make none up', async () => {
    const started = await startApp({
      ...FILE,
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

  it('the age of the key, by realm', async () => {
    expect(await text(await startApp())).toMatch(/^ostiary_signing_key_age_seconds\{realm="default"\} \d+$/m)
  })

  it('logins and events', async () => {
    const metrics = createMetrics()
    const common = { time: 0, realm: 'default', sub: 'ann' }
    metrics.event({ ...common, type: 'session.started', sid: 's', amr: ['pwd'] })
    metrics.event({ ...common, type: 'login.refused', reason: 'throttled', client_id: 'a', address: null })
    const found = exposition(await metrics.snapshot({ figures: undefined, keyAges: async () => [] }))
    for (const line of [
      'ostiary_logins_total{outcome="success"} 1',
      'ostiary_logins_total{outcome="throttled"} 1',
      'ostiary_events_total{type="session.started"} 1',
    ])
      expect(found.split('\n')).toContain(line)
  })

  it('the rest of it while the database is away', async () => {
    const away = async () => Promise.reject(new Error('no connection'))
    const figures = { deliveries_waiting: away, pool: () => ({ unanswered: 12, connections: 10 }) }
    const found = exposition(await createMetrics().snapshot({ figures, keyAges: away }))
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
    expect(routeNames(provider as never, ['default'])(path).route).toBe(name)
  })

  it.each([
    ['/realms/acme/oauth/token', 'oidc.token'],
    ['/realms/nobody-knows/oauth/token', 'oidc.token'],
    ['/.well-known/oauth-authorization-server/realms/acme', 'oidc.authorization-server'],
    ['/realms/acme/login', 'login'],
  ])('with realms, %s: %s', async (path, name) => {
    const started = await startApp({
      app: { url: 'http://localhost:4000' },
      oidc: { routes: { realms: 'path' }, realms: { acme: {} } },
    })
    await started.get(path)
    const requests = exposition(await started.app.metrics())
    expect(requests).toContain(`ostiary_requests_total{route="${name}",`)
  })
})

const PATHS: Record<string, string> = {
  'oidc.token': '/oauth/token',
  'oidc.approve': '/oauth/authorize/consent',
  'oidc.protected-resource': '/.well-known/oauth-protected-resource',
}
