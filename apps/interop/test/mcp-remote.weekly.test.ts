/** mcp-remote, on each storage. */

import { mcpRemote } from './mcp-remote.ts'
import { STORAGES } from './storages.ts'

mcpRemote(STORAGES)
