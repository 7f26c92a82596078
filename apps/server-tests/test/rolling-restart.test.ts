import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@ostiary/test-kit/eventually'
import { type Person, person } from '@ostiary/test-kit/person'
import { freePort } from '@ostiary/test-kit/ports'
import {
  configFor,
  PASSWORD,
  run,
  SECRET,
  type ServerProcess,
  startServer,
  USERNAME,
} from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { type Balancer, balancer } from './balancer.ts'
import { prepare } from './storages.ts'

const CALLBACK = 'http://localhost:8080/callback'
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const PEOPLE = 4
const NEW_SECRET = 'another-secret-of-these-tests-9876543210-x'
/** The first step of a change of the secret: the servers know the new one already. */
const BEFORE = { OIDC_SECRET: SECRET, OIDC_SECRET_PREVIOUS: NEW_SECRET }
const AFTER = { OIDC_SECRET: NEW_SECRET, OIDC_SECRET_PREVIOUS: SECRET }

/** Signs in and consents once; later requests need this session. */
async function signedIn(issuer: string, client_id: string): Promise<Person> {
  const one = person(issuer)
  const page = await one.open(authorizeUrl(issuer, client_id))
  await one.submit(await one.submit(page, { username: USERNAME, password: PASSWORD }))
  return one
}

const authorizeUrl = (issuer: string, client_id: string, more: Record<string, string> = {}) =>
  `${issuer}/oauth/authorize?${new URLSearchParams({
    client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...more,
  })}`

/** The code flow without a prompt, a refresh and UserInfo. @throws at the first wrong answer. */
async function round(issuer: string, client_id: string, one: Person): Promise<void> {
  const { url } = await one.open(authorizeUrl(issuer, client_id, { prompt: 'none' }))
  const code = url.searchParams.get('code')
  if (code === null) throw new Error(`no code: ${url.search}`)
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER }
  const first = await tokens(issuer, { ...form, client_id })
  const { refresh_token } = first
  const next = await tokens(issuer, { grant_type: 'refresh_token', refresh_token, client_id })
  const authorization = `Bearer ${next.access_token}`
  await expectOk(fetch(`${issuer}/oauth/userinfo`, { headers: { authorization } }))
  await expectOk(fetch(`${issuer}/.well-known/jwks.json`))
}

async function tokens(issuer: string, form: Record<string, string>) {
  const request = fetch(`${issuer}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  return (await expectOk(request)) as { refresh_token: string; access_token: string }
}

async function expectOk(answer: Promise<Response>): Promise<unknown> {
  const response = await answer
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`)
  return JSON.parse(text)
}

it.each(['postgres', 'postgres and redis'] as const)(
  'two servers are restarted under load, each with a new OIDC_SECRET: no request fails, no session is lost (%s)',
  async (storage) => {
    const { env, remove } = await prepare(storage)
    onTestFinished(remove)
    const ports = [await freePort(), await freePort()]
    const front = await balancer(ports)
    onTestFinished(() => front.close())
    const issuer = `http://localhost:${front.port}`
    const config = { ...configFor(CALLBACK)(front.port), server: { drain_seconds: 1 } }
    const start = async (port: number, secrets: Record<string, string>): Promise<ServerProcess> => {
      const server = await startServer({ config, port, env: { ...secrets, ...env } })
      onTestFinished(() => void server.child.kill('SIGKILL'))
      await eventually(() => front.isReady(port))
      return server
    }
    const servers = [await start(ports[0] ?? 0, BEFORE), await start(ports[1] ?? 0, BEFORE)]

    let rounds = 0
    let enough = false
    const failures: string[] = []
    const clients = Array.from({ length: PEOPLE }, (_, i) => `notes-${i}`)
    const people = await Promise.all(clients.map((client_id) => signedIn(issuer, client_id)))
    const load = people.map(async (one, i) => {
      while (!enough && failures.length === 0) {
        await round(issuer, clients[i] ?? '', one).catch((error) => failures.push(String(error)))
        rounds += 1
        // Limits the load, so that the servers can start.
        await pause(20)
      }
    })
    for (const [i, server] of servers.entries()) {
      await aFewMore(() => rounds)
      expect(await server.stop()).toMatchObject({ code: 0, signal: null })
      await aFewMore(() => rounds)
      const again = await start(ports[i] ?? 0, AFTER)
      const before = servedBy(front, again)
      await eventually(() => servedBy(front, again) > before || failures.length > 0)
    }
    const rotated = await run({ env: { ...AFTER, ...env }, args: ['secret', 'rotate', '--json'], config })
    await aFewMore(() => rounds)
    enough = true
    await Promise.all(load)

    expect([failures, front.failures]).toEqual([[], []])
    for (const port of ports) expect(front.served.get(port)).toBeGreaterThan(PEOPLE)
    const { realms } = JSON.parse(rotated.stdout)
    expect(realms).toMatchObject({ default: { keys: 1, encrypted_again: 1, apps: 0 } })
    const withNewSecretAlone = { OIDC_SECRET: NEW_SECRET, ...env }
    expect(await run({ env: withNewSecretAlone, args: ['keys', 'list'], config })).toMatchObject({ code: 0 })
  },
  300_000,
)

const servedBy = (front: Balancer, { port }: ServerProcess) => front.served.get(port) ?? 0

async function aFewMore(rounds: () => number): Promise<void> {
  const before = rounds()
  await eventually(() => rounds() >= before + PEOPLE)
}
