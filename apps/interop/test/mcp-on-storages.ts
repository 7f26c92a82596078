/** The official MCP clients, on storages that the short run leaves out. */

import { afterAll, beforeAll, describe } from 'vitest'
import { mcpClients, mcpMachines } from './mcp-clients.ts'
import { type McpWorld, startMcpWorld } from './mcp-world.ts'
import type { STORAGES, StartedStorage } from './storages.ts'

/** A file that has none of these storages fails: vitest refuses a file without a test. */
export function mcpClientsOn(storages: typeof STORAGES): void {
  describe.each(storages)('on %s:', (_, startStorage) => {
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
}
