/** The official MCP clients, with the storages that the short run leaves out. */

import { newDatabase, service } from '@ostiary/test-kit/database'
import { afterAll, beforeAll, describe } from 'vitest'
import { mcpClients, mcpMachines } from './mcp-clients.ts'
import { type McpWorld, startMcpWorld } from './mcp-world.ts'

type StartStorage = () => Promise<{ env: Record<string, string>; stop?(): Promise<void> }>

const postgres: StartStorage = async () => {
  const { url, drop } = await newDatabase()
  return { env: { DATABASE_URL: url }, stop: drop }
}

const STORAGES: [string, StartStorage][] = [
  ['the embedded database', async () => ({ env: {} })],
  ['PostgreSQL', postgres],
  [
    'PostgreSQL with Redis',
    async () => {
      const { env, ...rest } = await postgres()
      return { env: { ...env, REDIS_URL: service('REDIS_URL') }, ...rest }
    },
  ],
]

describe.each(STORAGES)('on %s:', (_, startStorage) => {
  let world: McpWorld
  let stopStorage: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const storage = await startStorage()
    stopStorage = storage.stop
    world = await startMcpWorld(storage.env)
  })
  afterAll(async () => {
    await world?.stop()
    await stopStorage?.()
  })

  mcpClients(() => world)
  mcpMachines(() => world)
})
