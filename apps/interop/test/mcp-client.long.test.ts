/** The official MCP clients, with the records in PostgreSQL and Redis. */

import { mcpClientsOn } from './mcp-on-storages.ts'
import { STORAGES } from './storages.ts'

mcpClientsOn(STORAGES.filter(([name]) => name === 'PostgreSQL with Redis'))
