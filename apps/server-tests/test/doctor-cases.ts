/** Prepared faults, and what `ostiary doctor` must say about each. */

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { join } from 'node:path'
import type { CleanUp } from '@ostiary/test-kit/database'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { freePort } from '@ostiary/test-kit/ports'
import { evictingRedis } from '@ostiary/test-kit/redis'
import { SECRET, WITHOUT_ARGON2 } from '@ostiary/test-kit/server'
import { database, makeKey, START } from './commands.ts'
import { nextVersion } from './next-version.ts'

export interface FaultSetup {
  env?: Record<string, string>
  config?: unknown
  args?: string[]
  main?: string
}

interface Case {
  name: string
  /** The fault: which check, and what it says. */
  check: string
  message: RegExp
  advice: RegExp
  prepare(addCleanup: CleanUp): Promise<FaultSetup>
}

export const OFFLINE = ['doctor', '--offline', '--json']
export const withKeys = async (addCleanup: CleanUp) => {
  const made = await database(addCleanup)
  await makeKey(made.storage)
  return made
}

/** A server that is closed after the test. */
async function startListener(addCleanup: CleanUp, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  addCleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}
const startAnswering = (addCleanup: CleanUp, { status, body }: { status: number; body: unknown }) =>
  startListener(addCleanup, (_request, response) => response.writeHead(status).end(JSON.stringify(body)))
const issuerAt = (issuer: string) => ({
  config: { ...START.config(1), app: { url: issuer } },
  args: ['doctor', '--json'],
})

export const CASES: Case[] = [
  {
    name: 'a misspelt key of the configuration',
    check: 'configuration',
    message: /^cliens: there is no such key; did you mean clients\?$/,
    advice: /^Correct it/,
    prepare: async () => ({ config: { ...START.config(1), cliens: [] } }),
  },
  {
    name: 'a misspelt variable',
    check: 'configuration',
    message: /^OSTIARY_PROT: there is no such setting; did you mean OSTIARY_PORT\?$/,
    advice: /^Correct it/,
    prepare: async () => ({ env: { OSTIARY_PROT: '80' } }),
  },
  {
    name: 'plain http on a public host',
    check: 'configuration',
    message: /^OIDC_ISSUER: "http:\/\/id\.example\.com" is not a valid issuer/,
    advice: /^Correct it/,
    prepare: async () => ({ env: { OIDC_ISSUER: 'http://id.example.com' } }),
  },
  {
    name: 'passkeys for an issuer whose host is an IP address',
    check: 'configuration',
    message: /^identity\.passkeys\.enabled: browsers have no passkeys for an IP address/,
    advice: /^Correct it/,
    prepare: async () => ({
      config: {
        ...START.config(1),
        app: { url: 'http://127.0.0.1:1' },
        identity: { passkeys: { enabled: true } },
      },
    }),
  },
  {
    name: 'no host of client documents that can be reached',
    check: 'client documents',
    message: /^no host can be reached: client\.localhost \(ECONNREFUSED\)$/,
    advice: /^The server reads the metadata of clients with requests of its own/,
    async prepare(addCleanup) {
      const issuer = await startListener(addCleanup, (_request, response) =>
        response.end(JSON.stringify({ issuer })),
      )
      const metadata_documents = { enabled: true, allowed_hosts: ['client.localhost'] }
      const { config, args } = issuerAt(issuer)
      return { config: { ...config, oidc: { clients: { metadata_documents } } }, args }
    },
  },
  {
    name: 'no native module that hashes passwords',
    check: 'passwords',
    message:
      /^passwords cannot be checked: @node-rs\/argon2 cannot be loaded on \w+ \w+ \(Cannot find native binding\)$/,
    advice: /^Install the packages on a machine like this one, with their optional dependencies\.$/,
    prepare: async () => ({ env: WITHOUT_ARGON2 }),
  },
  {
    name: 'a database that is not there',
    check: 'database',
    message: /^postgres:\/\/\(hidden\)@127\.0\.0\.1:\d+\/x does not answer \(ECONNREFUSED\)$/,
    advice: /^Start it, or correct DATABASE_URL/,
    prepare: async () => ({ env: { DATABASE_URL: `postgres://ann:hush@127.0.0.1:${await freePort()}/x` } }),
  },
  {
    name: 'a database of another name',
    check: 'database',
    message: /there is no such database$/,
    advice: /^Create it/,
    async prepare() {
      const url = new URL(process.env.DATABASE_URL ?? '')
      url.pathname = '/nobody_made_this_one'
      return { env: { DATABASE_URL: url.href } }
    },
  },
  {
    name: 'a wrong password of the database',
    check: 'database',
    message: /refuses the user or the password$/,
    advice: /^Correct both in DATABASE_URL/,
    async prepare(addCleanup) {
      const { env, executor } = await database(addCleanup)
      // The tests' server trusts every role; this one needs a password.
      const role = `asked_${randomUUID().replaceAll('-', '')}`
      const [hba] = await executor.query<{ file: string; text: string }>(
        `select current_setting('hba_file') as file, pg_read_file(current_setting('hba_file')) as text`,
      )
      if (!hba) throw new Error('the server does not show its pg_hba.conf')
      await executor.query(`create role ${role} login password 'the right one'`)
      await writeFile(hba.file, `host all ${role} all scram-sha-256\n${hba.text}`)
      await executor.query('select pg_reload_conf()')
      addCleanup(async () => {
        await writeFile(hba.file, hba.text)
        await executor.query(`select pg_reload_conf(); drop role ${role}`)
      })
      const url = new URL(env.DATABASE_URL)
      Object.assign(url, { username: role, password: 'the wrong one' })
      return { env: { DATABASE_URL: url.href } }
    },
  },
  {
    name: 'a database that is read-only',
    check: 'database',
    message: /^is read-only \(default_transaction_read_only\)/,
    advice: /^Reset default_transaction_read_only/,
    async prepare(addCleanup) {
      const { env, executor } = await withKeys(addCleanup)
      const name = new URL(env.DATABASE_URL).pathname.slice(1)
      await executor.query(`alter database ${name} set default_transaction_read_only = on`)
      return { env }
    },
  },
  {
    name: 'an older schema',
    check: 'database',
    message: /schema is older than this version: it lacks 9000-next/,
    advice: /^Run ostiary migrate/,
    async prepare(addCleanup) {
      const { env } = await database(addCleanup)
      return { env, main: await nextVersion(addCleanup) }
    },
  },
  {
    name: 'a newer schema',
    check: 'database',
    message: /schema is newer than this version.*9999-from-the-future/,
    advice: /docs/,
    async prepare(addCleanup) {
      const { env, executor } = await database(addCleanup)
      await executor.query(`insert into oidc_migrations values (9999, 'from-the-future', 'x')`)
      return { env }
    },
  },
  {
    name: 'another OIDC_SECRET than the one that sealed the keys',
    check: 'keys',
    message: /they were encrypted with another secret than OIDC_SECRET$/,
    advice: /^Set OIDC_SECRET to that secret/,
    async prepare(addCleanup) {
      const { env } = await withKeys(addCleanup)
      return { env: { ...env, OIDC_SECRET: `${SECRET}-of-somebody-else` } }
    },
  },
  {
    name: 'keys that none of signs yet',
    check: 'keys',
    message: /^none of realm default signs yet$/,
    advice: /^The clock of this machine is behind/,
    async prepare(addCleanup) {
      const { env, executor } = await withKeys(addCleanup)
      await executor.query('update oidc_signing_keys set signs_from = 4000000000')
      return { env }
    },
  },
  {
    name: 'a clock that differs from the database’s',
    check: 'clock',
    message: /^this machine is (?:3600|3599|3601) s behind the database$/,
    advice: /NTP/,
    async prepare(addCleanup) {
      const { env, executor } = await database(addCleanup)
      // A database whose clock is an hour ahead, for every new connection.
      await executor.query(`create schema ahead; create function ahead.clock_timestamp() returns timestamptz
        language sql as $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$`)
      const name = new URL(env.DATABASE_URL).pathname.slice(1)
      await executor.query(`alter database ${name} set search_path = ahead, public, pg_catalog`)
      return { env }
    },
  },
  {
    name: 'a Redis that is not there',
    check: 'redis',
    message: /^redis:\/\/\(hidden\)@127\.0\.0\.1:\d+ does not answer \(ECONNREFUSED\)$/,
    advice: /^Start Redis, or correct REDIS_URL/,
    async prepare(addCleanup) {
      const { env } = await database(addCleanup)
      return { env: { ...env, REDIS_URL: `redis://:hush@127.0.0.1:${await freePort()}` } }
    },
  },
  {
    name: 'a Redis that drops records, with sessions in it',
    check: 'redis',
    message: /^drops records when it is full \(maxmemory-policy allkeys-lru\), and holds the sessions/,
    advice: /^Set maxmemory-policy to noeviction, or OSTIARY_SESSIONS to database\.$/,
    async prepare(addCleanup) {
      const { env } = await database(addCleanup)
      return { env: { ...env, REDIS_URL: await evictingRedis(addCleanup), OSTIARY_SESSIONS: 'redis' } }
    },
  },
  {
    name: 'a data folder that cannot be made',
    check: 'data folder',
    message: /\/file\/data cannot be written \(ENOTDIR\)$/,
    advice: /set DATA_DIR/,
    async prepare(addCleanup) {
      const folder = await temporaryFolder(addCleanup)
      await writeFile(join(folder, 'file'), '')
      return { env: { DATA_DIR: join(folder, 'file/data') } }
    },
  },
  {
    name: 'an embedded database that is damaged',
    check: 'database',
    message: /^The embedded database|^The database/,
    advice: /^Restore the folder from a backup/,
    async prepare(addCleanup) {
      const folder = await temporaryFolder(addCleanup)
      await mkdir(join(folder, 'pglite'))
      await writeFile(join(folder, 'pglite/PG_VERSION'), '99')
      return { env: { DATA_DIR: folder } }
    },
  },
  {
    name: 'a metrics port that something else has',
    check: 'port',
    message: /^\d+ of 127\.0\.0\.1 is in use by another program$/,
    advice: /^Stop that program, or set OSTIARY_METRICS_PORT to another port\.$/,
    async prepare(addCleanup) {
      const taken = await startListener(addCleanup, (_request, response) => response.end('not metrics'))
      return { env: { OSTIARY_METRICS_PORT: new URL(taken).port } }
    },
  },
  {
    name: 'a port of the admin API that something else has',
    check: 'port',
    message: /^\d+ of 127\.0\.0\.1 is in use by another program$/,
    advice: /^Stop that program, or set admin\.listen\.port to another port\.$/,
    async prepare(addCleanup) {
      const taken = await startListener(addCleanup, (_request, response) => response.end('not the admin API'))
      const OSTIARY_ADMIN__LISTEN__PORT = new URL(taken).port
      return {
        env: { OSTIARY_ADMIN__ENABLED: 'true', OSTIARY_OIDC__ACR: 'require', OSTIARY_ADMIN__LISTEN__PORT },
      }
    },
  },
  {
    name: 'a port that something else has',
    check: 'port',
    message: /^\d+ of 127\.0\.0\.1 is in use by another program$/,
    advice: /set PORT/,
    async prepare(addCleanup) {
      const socket = createSocket((connection) => connection.destroy()).listen(0, '127.0.0.1')
      await once(socket, 'listening')
      addCleanup(() => void socket.close())
      return { env: { PORT: String((socket.address() as AddressInfo).port) } }
    },
  },
  {
    name: 'a HOST that is not of this machine',
    check: 'port',
    message: /^203\.0\.113\.1 is not an address of this machine$/,
    advice: /^Set HOST/,
    prepare: async () => ({ env: { HOST: '203.0.113.1' } }),
  },
  {
    name: 'an issuer that does not answer',
    check: 'issuer',
    message: /cannot be reached \(ECONNREFUSED\)$/,
    advice: /^Start the server, and check that the proxy/,
    prepare: async () => issuerAt(`http://localhost:${await freePort()}`),
  },
  {
    name: 'an issuer whose name does not resolve',
    check: 'issuer',
    message: /cannot be resolved$/,
    advice: /DNS/,
    prepare: async () => issuerAt('http://nobody-has-this-name.localhost.invalid'.replace('http:', 'https:')),
  },
  {
    name: 'an issuer that answers for another one',
    check: 'issuer',
    message: /answers for another issuer, https:\/\/other\.example\.com$/,
    advice: /^Another server runs there/,
    prepare: async (addCleanup) =>
      issuerAt(
        await startAnswering(addCleanup, { status: 200, body: { issuer: 'https://other.example.com' } }),
      ),
  },
  {
    name: 'a proxy that leads nowhere',
    check: 'issuer',
    message: /answers with status 502$/,
    advice: /^Configure the proxy/,
    prepare: async (addCleanup) => issuerAt(await startAnswering(addCleanup, { status: 502, body: {} })),
  },
]
