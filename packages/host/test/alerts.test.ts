/** deploy/prometheus and deploy/grafana name only series that a server shows, and leave none of its own out. */

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { exposition } from '../src/metrics/prometheus.ts'
import { workerMetrics } from '../src/process/worker-metrics.ts'
import { measured, NOT_REFUSED, NOW } from './measured.ts'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const RULES = read('deploy/prometheus/ostiary.rules.yml')
const TESTS = read('deploy/prometheus/ostiary.rules.test.yml')
const DASHBOARD: Dashboard = JSON.parse(read('deploy/grafana/ostiary.json'))
const PAGE = read('docs/run-it.md')

interface Panel {
  id: number
  title: string
  type: string
  targets?: { expr: string }[]
}
interface Dashboard {
  panels: Panel[]
  templating: { list: { name: string; type: string; definition?: string }[] }
}

const expressions = DASHBOARD.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const alerts = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)

/** The metric names in expressions; a histogram has one of the suffixes. */
const namesIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\b(?:ostiary|process|nodejs)_\w+/g)].map(([name]) =>
      name.replace(/_(?:bucket|sum|count)$/, ''),
    ),
  ),
]

/** Every metric of a server with workers, PostgreSQL and Redis; of labels, those that the server starts with. */
async function shown(): Promise<string[]> {
  const metrics = await measured({
    readiness: async () => ({ ready: true, parts: { database: true } }),
    figures: {
      database: async () => ({
        deliveries_waiting: 0,
        oldest_delivery_at: null,
        mails_waiting: 0,
        oldest_mail_at: null,
      }),
    },
    newest_keys: async () => [{ realm: 'default', created_at: NOW }],
    pool: () => ({ unanswered: 0, connections: 10, refused: NOT_REFUSED }),
    clock_ahead: () => 0,
  })
  const workers = await workerMetrics(2).snapshots()
  const text = await exposition([await metrics.snapshot(), ...workers])
  return [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
}

it('every series in the alerts, in the dashboard and in docs/run-it.md exists', async () => {
  const existing = await shown()
  const named = namesIn([RULES, PAGE, ...expressions].join('\n'))
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !existing.includes(name))).toEqual([])
})

it('every series of the server is in the dashboard, and in docs/run-it.md', async () => {
  const own = (await shown()).filter((name) => name.startsWith('ostiary_'))
  const named = namesIn(expressions.join('\n'))
  expect(own.filter((name) => !named.includes(name))).toEqual([])
  expect(own.filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([])
})

it('every alert has a test that it fires, one that it is quiet, and an action; docs/run-it.md has each', () => {
  expect(new Set(alerts).size).toBe(alerts.length)
  const cases = [...TESTS.matchAll(/alertname: (\w+)\n {8}exp_alerts:( \[\])?/g)]
  const tested = (quiet: boolean) =>
    cases.filter(([, , none]) => (none !== undefined) === quiet).map(([, name]) => name)
  expect(alerts.filter((name) => !tested(false).includes(name))).toEqual([])
  expect(alerts.filter((name) => !tested(true).includes(name))).toEqual([])
  expect(cases.filter(([, name = '']) => !alerts.includes(name))).toEqual([])
  expect(RULES.match(/ {10}action: /g)).toHaveLength(alerts.length)
  expect(alerts.filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([])
})

it('an alert counts from zero: the first increase fires it', async () => {
  const metrics = await measured({
    pool: () => ({ unanswered: 0, connections: 10, refused: NOT_REFUSED }),
  })
  const text = await exposition([await metrics.snapshot()])
  for (const series of [
    'ostiary_events_total{type="refresh_token.reused"} 0',
    'ostiary_events_total{type="code.replayed"} 0',
    'ostiary_events_total{type="audit.sink_failed"} 0',
    'ostiary_events_total{type="audit.sink_dropped"} 0',
    'ostiary_authorization_errors_total{error="temporarily_unavailable"} 0',
    'ostiary_authorization_errors_total{error="server_error"} 0',
    'ostiary_client_documents_total{outcome="fetched"} 0',
    'ostiary_client_documents_total{outcome="unreachable"} 0',
    'ostiary_server_errors_total{route="oidc.token",kind="fault"} 0',
    'ostiary_server_errors_total{route="login",kind="fault"} 0',
    'ostiary_database_refusals_total{reason="too_many_connections"} 0',
    'ostiary_database_refusals_total{reason="connection_refused"} 0',
  ])
    expect(text).toContain(`${series}\n`)
})

it('the dashboard can be imported: the data source is a variable, panels have numbers of their own', () => {
  const { panels, templating } = DASHBOARD
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource', query: 'prometheus' })
  const charts = panels.filter(({ type }) => type !== 'row')
  for (const chart of charts) expect(JSON.stringify(chart)).not.toMatch(/"uid":"(?!\$\{datasource\})/)
  const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title)
  expect(rows).toEqual(['Traffic', 'Sign-ins', 'Tokens', 'Errors', 'Storage and background work', 'Process'])
})
