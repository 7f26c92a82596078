/** A store that answers but refuses writes counts as an outage: 503 with Retry-After until it accepts writes again. */

import { rm } from 'node:fs/promises'
import { startRedis } from '@ostiary/local-services/redis'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp, createLog } from '../src/index.ts'
import { configure, FILE } from './support.ts'

/** @returns Registers a client: this writes a counter to Redis and a record to PostgreSQL. */
const startProvider = async (env: Record<string, string>) => (await startApp(env)).register

async function startApp(env: Record<string, string>) {
  const oidc = { clients: { registration: { enabled: true } } }
  const config = await configure({ ...FILE, oidc }, env)
  const app = await createApp(config, { log: createLog({ write: () => {} }) })
  onTestFinished(() => app.stop())
  await app.start()
  const readyz = async () => {
    const response = await app.fetch(new Request('http://localhost:4000/readyz'))
    return (await response.json()) as Record<string, string>
  }
  const register = async () => {
    const response = await app.fetch(
      new Request('http://localhost:4000/oauth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: ['https://client.example.com/callback'] }),
      }),
      { address: '203.0.113.5' },
    )
    const { error } = (await response.json()) as { error?: string }
    return { status: response.status, error, retry_after: response.headers.get('retry-after') }
  }
  return { register, readyz, config }
}

const UNAVAILABLE = { status: 503, error: 'temporarily_unavailable', retry_after: '5' }
const CREATED = { status: 201, error: undefined, retry_after: null }

describe('a registration gets 503 while Redis', () => {
  async function start() {
    const service = await startRedis()
    onTestFinished(() => service.stop())
    const admin = new Redis(service.url)
    onTestFinished(() => admin.disconnect())
    const register = await startProvider({ DATABASE_URL: await ownDatabase(), REDIS_URL: service.url })
    expect(await register()).toEqual(CREATED)
    return { admin, register }
  }

  it.each([
    ['is full (OOM)', 'maxmemory'],
    ['has lost its replicas (NOREPLICAS)', 'min-replicas-to-write'],
  ])('%s', async (_, setting) => {
    const { admin, register } = await start()
    await admin.config('SET', 'maxmemory-policy', 'noeviction')
    await admin.config('SET', setting, '1')
    expect(await register()).toEqual(UNAVAILABLE)
    await admin.config('SET', setting, '0')
    expect(await register()).toEqual(CREATED)
  })

  it('is a replica after a failover (READONLY)', async () => {
    const { admin, register } = await start()
    await admin.replicaof('127.0.0.1', 1)
    expect(await register()).toEqual(UNAVAILABLE)
    await admin.replicaof('NO', 'ONE')
    expect(await register()).toEqual(CREATED)
  })

  it('cannot save (MISCONF)', async () => {
    const { admin, register } = await start()
    const [, folder = ''] = (await admin.config('GET', 'dir')) as string[]
    await admin.config('SET', 'save', '3600 1')
    await rm(folder, { recursive: true })
    await admin.bgsave()
    await eventually(async () => (await admin.info('persistence')).includes('last_bgsave_status:err'))
    expect(await register()).toEqual(UNAVAILABLE)
    await admin.config('SET', 'stop-writes-on-bgsave-error', 'no')
    expect(await register()).toEqual(CREATED)
    // Otherwise Redis would not stop: it waits until it can save.
    await admin.config('SET', 'save', '')
  })
})

it('while PostgreSQL is read-only (25006), a registration and /readyz get 503, and no server starts', async () => {
  const DATABASE_URL = await ownDatabase()
  const { register, readyz, config } = await startApp({ DATABASE_URL })
  const admin = postgresExecutor(DATABASE_URL, { ...UNLIMITED, connections: 1 })
  onTestFinished(() => admin.close())
  const name = new URL(DATABASE_URL).pathname.slice(1)
  const readOnly = async (value: 'on' | 'off') => {
    await admin.query(`begin; set transaction read write;
      alter database ${name} set default_transaction_read_only = ${value}; commit`)
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
  }
  expect(await register()).toEqual(CREATED)
  await readOnly('on')
  // More requests than connections: the first request on each closed connection fails for that reason.
  for (let times = 0; times < 12; times++) expect(await register()).toEqual(UNAVAILABLE)
  expect(await readyz()).toMatchObject({ status: 'unavailable', database: 'down' })
  await expect(createApp(config, { log: createLog({ write: () => {} }) })).rejects.toThrow(
    'The database that DATABASE_URL names cannot be used: it is read-only (default_transaction_read_only)',
  )
  await readOnly('off')
  await eventually(async () => expect(await register()).toEqual(CREATED))
  await eventually(async () => expect(await readyz()).toMatchObject({ status: 'ready', database: 'ok' }))
})
