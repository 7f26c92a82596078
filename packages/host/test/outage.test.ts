/** A store that answers but refuses writes counts as an outage: 503 with Retry-After until it accepts writes again. */

import { rm } from 'node:fs/promises'
import { startRedis } from '@ostiary/local-services/redis'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp, createLog } from '../src/index.ts'
import { isOutage } from '../src/storage/outage.ts'
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

const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' })

it.each([
  'LOADING Redis is loading the dataset in memory',
  'BUSY Redis is busy running a script.',
  "OOM command not allowed when used memory > 'maxmemory'.",
  "ERR Error running script (call to f_1): @user_script:1: @user_script: 1: -OOM command not allowed when used memory > 'maxmemory'.",
  "READONLY You can't write against a read only replica. script: 1, on @user_script:1.",
  "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
  'MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.',
  'NOREPLICAS Not enough good replicas to write.',
  'CLUSTERDOWN The cluster is down',
  'CLUSTERDOWN Hash slot not served',
  'TRYAGAIN Multiple keys request during rehashing of slot',
  'MOVED 3999 127.0.0.1:6381',
  'ASK 3999 127.0.0.1:6381',
  'ERR max number of clients reached',
  'ERR Script attempted to access a non local key in a cluster node script: 1, on @user_script:1.',
  'ERR Script attempted to execute a write command while the cluster is down and readonly',
])('a reply of Redis is an outage: %s', (message) => expect(isOutage(reply(message))).toBe(true))

/** As ioredis 6.0 throws them. */
it.each([
  'Connection is closed.',
  'Command timed out',
  'Command aborted due to connection close',
  "Stream isn't writeable and enableOfflineQueue options is false",
  "Socket timeout. Expecting data, but didn't receive any in 3000ms.",
  'All sentinels are unreachable and retry is disabled. Last error: connect ECONNREFUSED 127.0.0.1:26379',
  'All sentinels are unreachable. Retrying from scratch after 100ms.',
  'None of startup nodes is available',
  'Failed to refresh slots cache.',
  'Node is disconnected',
  'Cluster is ended.',
  'Cluster is disconnecting.',
  "Cluster isn't ready and enableOfflineQueue options is false",
  'Too many Cluster redirections. Last error: ReplyError: MOVED 3999 127.0.0.1:6381',
  'Too many Cluster redirections. Last error: ReplyError: TRYAGAIN Multiple keys request during rehashing of slot',
  'Too many Cluster redirections. Last error: ReplyError: CLUSTERDOWN The cluster is down',
  'Too many Cluster redirections. Last error: Error: Connection is closed.',
  'Too many Cluster redirections. Last error: AbortError: Command aborted due to connection close',
])('a message of ioredis is an outage: %s', (message) => expect(isOutage(new Error(message))).toBe(true))

it.each([
  'ERR unknown command',
  'WRONGTYPE Operation against a key',
  'NOSCRIPT No matching script.',
  'BUSYGROUP Consumer Group name already exists',
  "CROSSSLOT Keys in request don't hash to the same slot",
  'Too many Cluster redirections. Last error: ReplyError: WRONGTYPE Operation against a key',
])('%s is an error of the program, not an outage', (message) => expect(isOutage(reply(message))).toBe(false))
