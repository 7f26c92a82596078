/** mcp-remote, with the records in memory. */

import { IN_MEMORY } from '@ostiary/test-kit/server'
import { mcpRemote } from './mcp-remote.ts'

mcpRemote([['memory', async () => ({ env: IN_MEMORY })]])
