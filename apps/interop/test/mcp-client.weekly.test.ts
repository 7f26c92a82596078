/** The official MCP clients, with the other storages. */

import { mcpClientsOn } from './mcp-on-storages.ts'
import { STORAGES } from './storages.ts'

mcpClientsOn(STORAGES.filter(([name]) => name !== 'PostgreSQL with Redis'))
