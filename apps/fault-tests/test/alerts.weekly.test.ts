/** Faults, noticed by a real Prometheus with the rules of deploy/prometheus, whose waiting times are shortened. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { freePort } from '@ostiary/test-kit/ports'
import { type Prometheus, promtool, startPrometheus } from '@ostiary/test-kit/prometheus'
import { expect, it, onTestFinished } from 'vitest'
import { clients, users } from './client.ts'
import { processesOf, signal } from './processes.ts'
import { provider } from './provider.ts'
import { report } from './report.ts'
import { ownPostgres, ownRedis } from './services.ts'

const deploy = (path: string) => fileURLToPath(new URL(`../../../deploy/${path}`, import.meta.url))
const RULES = readFileSync(deploy('prometheus/ostiary.rules.yml'), 'utf8')
/** An alert fires after two seconds instead of minutes; rates are of ten seconds. */
const QUICK_RULES = RULES.replaceAll(/for: \w+/g, 'for: 2s').replaceAll('[2m]', '[10s]')

it('promtool accepts the alerts, and its tests of each pass', () => {
  const folder = deploy('prometheus')
  expect(promtool(folder, 'check', 'rules', 'ostiary.rules.yml')).toMatchObject({ code: 0 })
  expect(promtool(folder, 'test', 'rules', 'ostiary.rules.test.yml')).toMatchObject({ code: 0 })
})

/** Asks for a sign-in, as a browser without a session does. So long a request waits in Redis. */
const authorize = (origin: string) =>
  fetch(
    `${origin}/oauth/authorize?${new URLSearchParams({
      client_id: 'app',
      redirect_uri: 'http://localhost:8080/callback',
      response_type: 'code',
      scope: 'openid',
      state: 'x'.repeat(8000),
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })}`,
    { redirect: 'manual', signal: AbortSignal.timeout(20_000) },
  )

/** Seconds until all of these fire, while sign-ins are asked for and /metrics is read. */
async function noticed(site: Site, alerts: string[]) {
  const started = performance.now()
  const scrapes: number[] = []
  let redirects = 0
  let server_errors = 0
  let ended = false
  const load = (async () => {
    while (!ended) {
      const { status } = await authorize(site.origin).catch(() => ({ status: 0 }))
      if (status === 302 || status === 303) redirects += 1
      if (status >= 500) server_errors += 1
    }
  })()
  await eventually(async () => {
    const asked = performance.now()
    await (await fetch(`http://127.0.0.1:${site.metrics_port}/metrics`)).text()
    scrapes.push(performance.now() - asked)
    const firing = await site.prometheus.firing()
    return alerts.every((alert) => firing.includes(alert))
  })
  const firing = await site.prometheus.firing()
  const seconds = Math.round((performance.now() - started) / 1000)
  ended = true
  const sorted = scrapes.sort((a, b) => a - b)
  const median_ms = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
  const longest_ms = Math.round(sorted.at(-1) ?? 0)
  return {
    load,
    counts: { seconds, redirects, server_errors, scrapes: scrapes.length, median_ms, longest_ms, firing },
  }
}

interface Site {
  origin: string
  metrics_port: number
  prometheus: Prometheus
}

/** Until every part works again for Prometheus; alerts about rates fire for minutes. */
const recovered = (site: Site) =>
  eventually(async () => {
    const firing = await site.prometheus.firing()
    return !firing.some((alert) => alert.startsWith('OstiaryPartDown') || alert === 'OstiaryNotReady')
  })

it('Redis down, PostgreSQL read-only, PostgreSQL that hangs: the alerts fire, and /metrics answers', async () => {
  const [postgres, redis] = [await ownPostgres(), await ownRedis()]
  const metrics_port = await freePort()
  const config = (origin: string) => ({
    app: { url: origin },
    clients,
    users,
    server: { metrics: { port: metrics_port } },
  })
  const { origin } = await provider({ config, env: { DATABASE_URL: postgres.url, REDIS_URL: redis.url } })
  const folder = await temporaryFolder()
  const prometheus = await startPrometheus({ folder, rules: QUICK_RULES, target: metrics_port })
  onTestFinished(() => prometheus.stop())
  const site = { origin, metrics_port, prometheus }
  const dashboard = JSON.parse(readFileSync(deploy('grafana/ostiary.json'), 'utf8')) as Dashboard
  const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  for (const expression of expressions.map(withValues))
    expect([expression, await prometheus.query(expression)]).toEqual([expression, 'success'])
  await eventually(async () => (await prometheus.query('up')) === 'success')
  // Since before the first scrape an alert may say that Prometheus does not know the server.
  await eventually(async () => expect(await prometheus.firing()).toEqual([]))

  await redis.pause()
  const without_redis = await noticed(site, ['OstiaryPartDown redis', 'OstiarySignInsFail'])
  expect(without_redis.counts.firing).not.toContain('OstiaryNotReady')
  await redis.resume()
  await without_redis.load
  report('Redis down', without_redis.counts)

  const admin = postgresExecutor(postgres.url, { ...UNLIMITED, connections: 1 })
  onTestFinished(() => admin.close())
  await admin.query('alter system set default_transaction_read_only = on')
  await admin.query('select pg_reload_conf()')
  const read_only = await noticed(site, ['OstiaryPartDown database', 'OstiaryNotReady'])
  await admin.query('set default_transaction_read_only = off')
  await admin.query('alter system reset default_transaction_read_only')
  await admin.query('select pg_reload_conf()')
  await read_only.load
  report('PostgreSQL read-only', read_only.counts)
  await recovered(site)

  const processes = await processesOf(admin)
  onTestFinished(() => signal(processes, 'SIGCONT'))
  signal(processes, 'SIGSTOP')
  const hanging = await noticed(site, ['OstiaryPartDown database', 'OstiaryNotReady'])
  signal(processes, 'SIGCONT')
  await hanging.load
  report('PostgreSQL hangs', hanging.counts)
})

interface Dashboard {
  panels: { targets?: { expr: string }[] }[]
}

/** As Grafana fills the variables in. */
const withValues = (expression: string): string =>
  expression.replaceAll('$job', 'ostiary').replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m')
