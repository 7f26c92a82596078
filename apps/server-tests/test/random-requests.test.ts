/**
 * An attacker's tool against the built server, on each storage: no answer is a 5xx, no event is a
 * `server.error`, the server does not grow, and an honest sign-in works afterwards. The requests follow from a seed.
 * OSTIARY_RANDOM_REQUESTS says how many for each storage; OSTIARY_RANDOM_SEED is another seed.
 */

import { readFile } from 'node:fs/promises'
import { Agent, request as httpRequest } from 'node:http'
import { person } from '@ostiary/test-kit/person'
import {
  configFor,
  PASSWORD,
  SECRET,
  type ServerProcess,
  startServer,
  USERNAME,
} from '@ostiary/test-kit/server'
import { describe, expect, inject, it } from 'vitest'
import { type Harvest, type RandomRequest, randomOf, randomRequest } from './random-request.ts'
import { prepare, STORAGES } from './storages.ts'

const ASKED = process.env.OSTIARY_RANDOM_REQUESTS
const REQUESTS = Number(ASKED ?? 300)
const SEED = Number(process.env.OSTIARY_RANDOM_SEED ?? 20_261_121)
const AT_A_TIME = 8
const CALLBACK = 'http://localhost:8080/callback'
/** MiB that a server may grow by: more than uncollected garbage, less than any bound in docs/security-model.md. */
const GROWTH = 250

interface Answer {
  status: number
  text: string
  headers: Record<string, string | string[] | undefined>
}

function send(
  agent: Agent,
  { port }: ServerProcess,
  { method, target, headers, body }: RandomRequest,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { agent, port, host: '127.0.0.1', method, path: target.replaceAll(/[^\x21-\x7e]/g, '%20'), headers },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
        )
      },
    )
    request.on('error', reject)
    request.end(body ?? undefined)
  })
}

/** Keeps the values of an answer for later requests. */
function keep(harvest: Harvest, { text, headers }: Answer): void {
  const { location = '' } = headers
  const found = [
    ...String(location).matchAll(/[?&](?:code|id|return_to|state)=([^&]+)/g),
    ...text.matchAll(
      /"(?:access_token|refresh_token|id_token|client_id|client_secret|request_uri)":"([^"]+)"/g,
    ),
    ...text.matchAll(/name="(?:auth_token|csrf_token|return_to|confirmation_token|sid)" value="([^"]*)"/g),
  ]
  for (const [, value = ''] of found) harvest.values.push(decodeURIComponent(value))
  harvest.values.splice(0, harvest.values.length - 500)
  for (const line of headers['set-cookie'] ?? []) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') harvest.cookies.delete(name)
    else harvest.cookies.set(name, value)
  }
}

const residentMiB = async (pid: number | undefined) => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

async function attack(server: ServerProcess, count: number): Promise<Map<number, number>> {
  const random = randomOf(SEED)
  const harvest: Harvest = { values: [], cookies: new Map() }
  const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME })
  const statuses = new Map<number, number>()
  let sent = 0
  const worker = async () => {
    while (sent < count) {
      sent += 1
      const made = randomRequest(random, harvest)
      const answer = await send(agent, server, made).catch((cause: Error) => cause)
      // A server that refuses an unfinished body closes the connection under the sender.
      if (answer instanceof Error) continue
      if (answer.status >= 500 && answer.status !== 503)
        throw new Error(`${answer.status} for ${JSON.stringify(made).slice(0, 2000)}: ${answer.text}`)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      keep(harvest, answer)
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
  agent.destroy()
  return statuses
}

async function signsIn(server: ServerProcess): Promise<string> {
  const ann = person(server.issuer)
  const query = new URLSearchParams({
    client_id: 'notes',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    prompt: 'consent',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const signIn = await ann.open(`${server.issuer}/oauth/authorize?${query}`)
  const consent = await ann.submit(signIn, { username: USERNAME, password: PASSWORD })
  return (await ann.submit(consent)).url.href
}

/** The embedded database and PostgreSQL alone differ little from the mix: only the long run tests them. */
const ATTACKED = ASKED === undefined ? (['memory', 'postgres and redis'] as const) : STORAGES

describe.each(ATTACKED)('random requests (%s)', (storage) => {
  it(`${REQUESTS} of them: no 5xx, no growth, and a user can sign in`, async () => {
    const { env, remove } = await prepare(storage)
    const config = (port: number) => {
      const { oidc, ...rest } = configFor(CALLBACK)(port)
      const clients = { registration: { enabled: true }, token_exchange: true }
      const throttle = { register: 1_000_000, authorize: 1_000_000 }
      return { ...rest, oidc: { ...oidc, clients, throttle, par: 'allowed' } }
    }
    const server = await startServer({ config, env: { ...env, OIDC_SECRET: SECRET } })
    try {
      expect(await signsIn(server)).toContain('code=')
      const before = await residentMiB(server.child.pid)
      const statuses = await attack(server, REQUESTS)
      const reached = [200, 302, 303, 400, 401, 404, 405].filter((status) => statuses.has(status))
      expect(reached.length, JSON.stringify([...statuses])).toBeGreaterThan(5)
      expect((await residentMiB(server.child.pid)) - before).toBeLessThan(GROWTH)
      const errors = server.logged('server.error').concat(server.logged('request failed'))
      expect(errors).toEqual([])
      // A request that knew the password may have changed it: then the sign-in page is right.
      expect(await signsIn(server)).toMatch(/code=|\/login/)
      if (ASKED !== undefined)
        console.log(
          inject('server') ?? 'node',
          storage,
          JSON.stringify([...statuses].sort()),
          Math.round(before),
          Math.round(await residentMiB(server.child.pid)),
        )
    } finally {
      await server.stop()
      await remove()
    }
  }, 1_800_000)
})
