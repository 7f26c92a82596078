/**
 * Two servers behind nginx, HAProxy and Caddy with the blocks of docs/run-it.md: while Redis is down, while PostgreSQL is down,
 * and while the servers restart in turn. The readiness probe of deploy/kubernetes looks at the same servers.
 */

import { readFileSync } from 'node:fs'
import { eventually } from '@ostiary/test-kit/eventually'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET, type ServerProcess, startServer } from '@ostiary/test-kit/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type Answer,
  backend,
  clients,
  codeForm,
  newCode,
  post,
  refreshForm,
  send,
  signIn,
  textOf,
  userinfo,
  users,
} from './client.ts'
import { blockWith, startProgram } from './debian-programs.ts'
import { ALL, grown, isRefusal, startWork, total } from './outage-load.ts'
import { untilReadyz } from './ready.ts'
import { report } from './report.ts'
import { ownPostgres, ownRedis } from './services.ts'

/** Milliseconds: each balancer asks twice and more in this time. */
const LOOK_MS = 5000

const NGINX_LOG = 'error.log'

type Balancer = 'nginx' | 'haproxy' | 'caddy'

interface Place {
  port: number
  folder: string
  /** The address of a server that nginx leaves out. */
  down?: string
}

/** The configuration with the block of the page, in which addresses and certificates are those of the test. */
const CONFIGURATIONS: Record<Balancer, (ports: number[], place: Place) => string> = {
  nginx: (ports, { port, folder, down }) => `
    daemon off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log stderr notice;
    error_log ${folder}/${NGINX_LOG} notice;
    events {}
    http {
      access_log off;
      # A client that reuses a connection can lose a request when nginx is reloaded: that is not what is tested.
      keepalive_timeout 0;
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      ${blockWith('upstream ostiary', {
        ...upstreams(ports),
        'listen 443 ssl;': `listen 127.0.0.1:${port};`,
        'ssl_certificate     /etc/ssl/id.example.com.pem;': '',
        'ssl_certificate_key /etc/ssl/id.example.com.key;': '',
        // All users of the test have one address.
        'rate=100r/s': 'rate=100000r/s',
        ...(down !== undefined && { [`server ${down} `]: `server ${down} down ` }),
      })}
    }`,
  haproxy: (ports, { port }) =>
    blockWith('frontend id', {
      ...upstreams(ports),
      'bind :443 ssl crt /etc/haproxy/id.example.com.pem': `bind 127.0.0.1:${port}`,
    }),
  caddy: (ports, { port, folder }) => `{
      admin off
      auto_https off
      storage file_system ${folder}
    }
    ${blockWith('health_uri', { ...upstreams(ports), 'id.example.com {': `http://localhost:${port} {\nbind 127.0.0.1` })}`,
}

const upstreams = ([one, two]: number[]): Record<string, string> => ({
  '127.0.0.1:3000': `127.0.0.1:${one}`,
  '127.0.0.1:3001': `127.0.0.1:${two}`,
})

interface Site {
  issuer: string
  origins: string[]
  servers: ServerProcess[]
  /** Starts one of them again. */
  start(index: number): Promise<ServerProcess>
  /** As the page says: before a server restarts, nginx is told to leave it out. The others ask /readyz. */
  leaveOut(index: number | null): Promise<void>
}

async function site(balancer: Balancer, env: Record<string, string>): Promise<Site> {
  const ports = [await freePort(), await freePort()]
  const program = await startProgram({
    program: balancer,
    configuration: (port, folder) => CONFIGURATIONS[balancer](ports, { port, folder }),
  })
  const { port: public_port, folder } = program
  const leaveOut = async (index: number | null) => {
    if (balancer !== 'nginx') return
    const down = index === null ? {} : { down: `127.0.0.1:${ports[index]}` }
    program.configure((port) => CONFIGURATIONS.nginx(ports, { port, folder, ...down }))
    const reloaded = () =>
      readFileSync(`${folder}/${NGINX_LOG}`, 'utf8').split('gracefully shutting down').length
    const before = reloaded()
    process.kill(Number(readFileSync(`${folder}/nginx.pid`, 'utf8')), 'SIGHUP')
    await eventually(() => reloaded() > before)
  }
  const issuer = `http://localhost:${public_port}`
  const config = { app: { url: issuer }, trusted_proxies: ['127.0.0.1'], clients, users }
  const start = (index: number) =>
    startServer({ config, env: { OIDC_SECRET: SECRET, ...env }, port: ports[index] ?? 0 })
  const servers = await Promise.all(ports.map((_, index) => start(index)))
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.stop()))))
  await untilReadyz(issuer, 200)
  return { issuer, origins: ports.map((port) => `http://127.0.0.1:${port}`), servers, start, leaveOut }
}

/** The statuses of each kind of request, sent one after the other for some seconds. */
async function statuses(asked: Record<string, () => Promise<Answer>>) {
  const found: Record<string, Set<number>> = {}
  const end = performance.now() + LOOK_MS
  while (performance.now() < end)
    for (const [name, ask] of Object.entries(asked)) {
      const { status } = await ask()
      found[name] = (found[name] ?? new Set()).add(status)
    }
  return Object.fromEntries(Object.entries(found).map(([name, set]) => [name, [...set]]))
}

/** The tokens of a user, and what an application and an API send with them. */
async function requests(issuer: string) {
  const ann = await signIn(issuer)
  const code = await newCode(ann, issuer, { client_id: 'backend', scope: 'openid offline_access' })
  const tokens = await post(`${issuer}/oauth/token`, codeForm(code, backend))
  const access_token = textOf(tokens, 'access_token')
  let refresh_token = textOf(tokens, 'refresh_token')
  const get = (path: string) => () => send(`${issuer}${path}`)
  return {
    async refresh() {
      const answer = await post(`${issuer}/oauth/token`, refreshForm(refresh_token, backend))
      if (answer.status === 200) refresh_token = textOf(answer, 'refresh_token')
      return answer
    },
    userinfo: () => userinfo(issuer, access_token),
    introspection: () => post(`${issuer}/oauth/introspect`, { ...backend, token: access_token }),
    client_credentials: () => post(`${issuer}/oauth/token`, { ...backend, grant_type: 'client_credentials' }),
    jwks: get('/.well-known/jwks.json'),
    discovery: get('/.well-known/openid-configuration'),
  }
}

const all = (kinds: readonly string[], status: number) =>
  Object.fromEntries(kinds.map((kind) => [kind, [status]]))

/** Whether the kubelet keeps the pod in the Service: as its probe does, so many failures in a row take it out. */
async function probed(origin: string): Promise<boolean> {
  const text = readFileSync(new URL('../../../deploy/kubernetes/ostiary.yaml', import.meta.url), 'utf8')
  const [, path, seconds, failures = '3'] =
    /readinessProbe:\s+httpGet: \{ path: (\S+), port: http \}\s+periodSeconds: \d+\s+timeoutSeconds: (\d+)(?:\s+failureThreshold: (\d+))?/.exec(
      text,
    ) ?? []
  expect(path).toBe('/readyz')
  for (let failed = 0; failed < Number(failures); failed += 1) {
    const signal = AbortSignal.timeout(Number(seconds) * 1000)
    const status = await fetch(`${origin}${path}`, { signal, redirect: 'manual' }).then(
      (response) => response.status,
      () => 0,
    )
    if (status >= 200 && status < 400) return true
  }
  return false
}

describe.each<Balancer>(['nginx', 'haproxy', 'caddy'])('behind %s', (balancer) => {
  it.each(['database', 'redis'])(
    'Redis is killed, with sessions in: %s: what needs no Redis is answered',
    async (OSTIARY_SESSIONS) => {
      const [postgres, redis] = [await ownPostgres(), await ownRedis()]
      const env = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, OSTIARY_SESSIONS }
      const { issuer, origins } = await site(balancer, env)
      const asked = await requests(issuer)
      await redis.pause()
      for (const origin of origins) {
        const named = async () => (await send(`${origin}/readyz`)).body.redis
        await eventually(async () => expect(await named()).toBe('down'))
        expect(await probed(origin)).toBe(true)
      }
      expect(await statuses(asked)).toEqual(all(Object.keys(asked), 200))
    },
  )

  it('PostgreSQL is down: no server is ready, and they answer all the same', async () => {
    const postgres = await ownPostgres()
    const { issuer, origins } = await site(balancer, { DATABASE_URL: postgres.url })
    const { jwks, discovery, refresh } = await requests(issuer)
    await postgres.pause()
    for (const origin of origins) {
      await untilReadyz(origin, 503)
      expect(await probed(origin)).toBe(false)
    }
    const refused = async () => {
      const answer = await refresh()
      // Not the balancer: it has no Retry-After.
      return { ...answer, status: isRefusal(answer) ? 503 : -answer.status }
    }
    const found = await statuses({ jwks, discovery, refused })
    expect(found).toEqual({ jwks: [200], discovery: [200], refused: [503] })
    await postgres.resume()
    await untilReadyz(issuer, 200)
  })

  it('two servers restart in turn: no request fails', async () => {
    const postgres = await ownPostgres()
    const { issuer, origins, servers, start, leaveOut } = await site(balancer, { DATABASE_URL: postgres.url })
    const load = await startWork(issuer)
    const { tally, ledger } = load
    const under = (work: Promise<unknown>) => Promise.race([work, load.working])
    await under(grown(tally.served, ALL, ledger.faults))
    for (const [index, origin] of origins.entries()) {
      await under(leaveOut(index))
      await under(Promise.resolve(servers[index]?.stop()))
      servers[index] = await start(index)
      await under(untilReadyz(origin, 200))
      await under(leaveOut(null))
      // nginx does not ask.
      if (balancer !== 'nginx') await under(eventually(() => checked(servers[index]?.stdout() ?? '')))
      await under(grown(tally.served, ALL, ledger.faults))
    }
    await load.stop()
    report(`Two servers restart in turn behind ${balancer}`, {
      requests: total(tally.served),
      answered_503: total(tally.unavailable),
      other_errors: ledger.faults.length,
    })
    expect(ledger.faults).toEqual([])
    expect(total(tally.unavailable)).toBe(0)
  })
})

/** Whether the balancer has asked: the log has a second request for /readyz that was answered with 200. */
const checked = (log: string): boolean => log.split(/"path":"\/readyz","status":200/).length > 2
