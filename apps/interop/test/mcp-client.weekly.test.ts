/** The official MCP clients, with the storages that the short run leaves out. */

import { mcpClientsOn } from './mcp-on-storages.ts'
import { STORAGES } from './storages.ts'

mcpClientsOn(STORAGES)
