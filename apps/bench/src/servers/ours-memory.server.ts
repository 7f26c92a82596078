/**
 * The product's host on core's memory storage. apps/node-server offers no such choice, since nothing would survive it;
 * everything else is its: configuration, HTTP bridge, sign-in, log.
 */

import { memoryStorage } from '@ostiary/core/memory'
import { configuredLog, createApp, readConfig } from '@ostiary/host'
import { memoryUsers } from '@ostiary/identity'
import { serve } from './node-http.js'

const config = await readConfig(process.env, process.cwd())
const log = configuredLog(config, (line) => process.stdout.write(`${line}\n`))
const storage = { storage: memoryStorage(), users: memoryUsers(), parts: {}, close: async () => {} }
const app = await createApp(config, { log, storage })
await app.start()
serve((request, info) => app.fetch(request, info))
