/**
 * The server of `pnpm dev`: the Node server with its records in memory, unless the configuration says where they are; and beside it, on
 * this machine alone, the preview of all pages. `dev.mjs` bundles it.
 */

import { env } from 'node:process'
import { fileSchema } from '../packages/host/src/config/file-schema.ts'
import { readLanguages } from '../packages/host/src/config/languages.ts'
import { readSources } from '../packages/host/src/config/sources.ts'
import { servePreview } from '../packages/identity/preview/serve.ts'

const { keys, file } = await readSources(env, process.cwd())
if (!['storage', 'database_url', 'redis_url'].some((key) => key in keys)) env.OSTIARY_STORAGE = 'memory'
await showPages().catch((error) => console.error(`There is no preview of the pages: ${error.message}`))
await import('../apps/node-server/src/main.ts')

/** With the theme and the languages of the configuration. What is wrong with the rest, the server says. */
async function showPages() {
  const { theme, languages } = fileSchema.pick({ theme: true, languages: true }).strip().parse(keys)
  const read = await readLanguages(languages, { config_file: file, cwd: process.cwd() })
  const options = { ...(theme && { theme }), ...(read && { languages: read.options }) }
  const url = await servePreview(options, Number(env.PORT ?? 3000) + 1)
  console.error(`Preview of all pages: ${url}`)
}
