/**
 * The server of `pnpm dev`: the Node server with its records in memory, unless the configuration says where they are.
 * `dev.mjs` bundles it.
 */

import { env } from 'node:process'
import { readSources } from '../packages/host/src/config/sources.ts'

const { keys } = await readSources(env, process.cwd())
if (!['storage', 'database_url', 'redis_url'].some((key) => key in keys)) env.OSTIARY_STORAGE = 'memory'
await import('../apps/node-server/src/main.ts')
