/** A Redis that has lost everything: its sessions can still be ended, and the records in PostgreSQL stay valid. */

import { person } from '@ostiary/test-kit/person'
import {
  configFor,
  PASSWORD,
  run,
  SECRET,
  type ServerProcess,
  startServer,
  USERNAME,
} from '@ostiary/test-kit/server'
import { Redis } from 'ioredis'
import { afterEach, expect, inject, it } from 'vitest'
import { prepare, type StorageSetup } from './storages.ts'

const CALLBACK = 'http://localhost:8080/callback'
const REQUEST = {
  client_id: 'notes',
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

const EMPTIED = { node: 5, bun: 6 }

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function signedIn(sessions: 'redis' | 'database') {
  const prepared: StorageSetup = await prepare('postgres and redis')
  cleanUps.push(prepared.remove)
  // Emptied below: a database that no other test file uses.
  const own = new URL(prepared.env.REDIS_URL ?? '')
  own.pathname = `/${EMPTIED[inject('server') ?? 'node']}`
  const env = { ...prepared.env, REDIS_URL: own.href, OIDC_SECRET: SECRET, OSTIARY_SESSIONS: sessions }
  const server = await startServer({ config: configFor(CALLBACK), env })
  cleanUps.push(server.stop)
  const ann = person(server.issuer)
  const authorize = `${server.issuer}/oauth/authorize?${new URLSearchParams(REQUEST)}`
  const consent = await ann.submit(await ann.open(authorize), { username: USERNAME, password: PASSWORD })
  const { url } = await ann.submit(consent)
  const code = url.searchParams.get('code') ?? ''
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  const granted = await tokens(server, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  })
  expect(granted.status).toBe(200)
  const redis = new Redis(own.href)
  await redis.flushdb()
  redis.disconnect()
  return { server, env, ann, authorize, ...granted }
}

async function tokens({ issuer }: ServerProcess, form: Record<string, string>) {
  const body = new URLSearchParams({ client_id: 'notes', ...form })
  const response = await fetch(`${issuer}/oauth/token`, { method: 'POST', body })
  const { refresh_token = '', id_token = '' } = (await response.json()) as Record<string, string>
  return { status: response.status, refresh_token, id_token }
}
const refresh = (server: ServerProcess, refresh_token: string) =>
  tokens(server, { grant_type: 'refresh_token', refresh_token })

it('sessions in Redis: a sign-out revokes the tokens of the lost session', async () => {
  const { server, ann, refresh_token, id_token } = await signedIn('redis')
  const alive = await refresh(server, refresh_token)
  expect(alive.status).toBe(200)
  await ann.open(`${server.issuer}/oauth/logout?id_token_hint=${id_token}`)
  expect((await refresh(server, alive.refresh_token)).status).toBe(400)
})

it('sessions in Redis: session end --user revokes them too', async () => {
  const { server, env, refresh_token } = await signedIn('redis')
  const ended = await run({
    args: ['session', 'end', '--user', USERNAME, '--json'],
    config: configFor(CALLBACK)(server.port),
    env,
    port: server.port,
  })
  expect(ended.code).toBe(0)
  expect(JSON.parse(ended.stdout)).toMatchObject({ ended: [], grants: 1 })
  expect((await refresh(server, refresh_token)).status).toBe(400)
})

it('sessions in PostgreSQL, the default: the user stays signed in', async () => {
  const { server, ann, authorize, refresh_token } = await signedIn('database')
  expect((await ann.open(`${authorize}&prompt=none`)).url.href).toContain('code=')
  expect((await refresh(server, refresh_token)).status).toBe(200)
})
