/** The official MCP clients, with the storages that the short run leaves out. */

import { afterAll, beforeAll, describe } from 'vitest'
import { mcpClients, mcpMachines } from './mcp-clients.ts'
import { type McpWorld, startMcpWorld } from './mcp-world.ts'
import { STORAGES, type StartedStorage } from './storages.ts'

describe.each(STORAGES)('on %s:', (_, startStorage) => {
  let storage: StartedStorage
  let world: McpWorld
  beforeAll(async () => {
    storage = await startStorage()
    world = await startMcpWorld(storage.env)
  })
  afterAll(async () => {
    await world?.stop()
    await storage?.stop?.()
  })

  mcpClients(() => world)
  mcpMachines(() => world)
})
