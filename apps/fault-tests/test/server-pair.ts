/** Two servers on one storage, as behind a load balancer. */

import { ownDatabase } from '@ostiary/test-kit/database'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET, startServer } from '@ostiary/test-kit/server'
import { onTestFinished } from 'vitest'
import { clients, QUICK_KEYS, users } from './client.ts'
import { partitionedDatabase } from './partitioned.ts'
import { ownRedis } from './services.ts'

/** The variables of new and empty databases. */
export const STORAGES: [name: string, env: () => Promise<Record<string, string>>][] = [
  ['PostgreSQL', async () => ({ DATABASE_URL: await ownDatabase() })],
  ['PostgreSQL in 16 partitions', async () => ({ DATABASE_URL: await partitionedDatabase() })],
  ['PostgreSQL with Redis', postgresWithRedis],
]

async function postgresWithRedis(): Promise<Record<string, string>> {
  const { url } = await ownRedis()
  return { DATABASE_URL: await ownDatabase(), REDIS_URL: url }
}

export interface ServerPair {
  /** Of both. */
  issuer: string
  origins: [string, string]
}

/** Starts both; they stop at the end of the test. */
export async function serverPair(storage: Record<string, string>, oidc: object): Promise<ServerPair> {
  const ports = [await freePort(), await freePort()]
  const [issuer = '', other = ''] = ports.map((port) => `http://localhost:${port}`)
  const config = { app: { url: issuer }, oidc: { keys: QUICK_KEYS, ...oidc }, clients, users }
  const env = { ...storage, OIDC_SECRET: SECRET }
  const servers = await Promise.all(ports.map((port) => startServer({ config, env, port })))
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.stop()))))
  return { issuer, origins: [issuer, other] }
}
