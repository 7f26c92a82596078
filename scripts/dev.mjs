/**
 * `pnpm dev`: the Node server from the sources of all packages. When one of them changes, the server is bundled again and
 * restarted. A build that fails is printed, and the server goes on as it is.
 *
 *   node scripts/dev.mjs
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { context } from 'esbuild'
import { SERVER } from './build.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Each bundle is where its package finds what it loads, and its files. */
const MAIN = 'apps/node-server/.dev/main'
const EMBEDDED = 'packages/storage-pglite/.dev/index'

/** A bundle of its own, like the published package: PGlite is installed beside it, and so is the template of the database. */
const EMBEDDED_DATABASE = {
  name: 'embedded database',
  setup(build) {
    const path = pathToFileURL(join(ROOT, `${EMBEDDED}.js`)).href
    build.onResolve({ filter: /^@ostiary\/storage-pglite$/ }, () => ({ path, external: true }))
  },
}

const server = restartable(join(ROOT, `${MAIN}.js`))

const RESTART = {
  name: 'restart',
  setup(build) {
    build.onEnd(({ errors }) => {
      if (errors.length === 0) server.restart()
      else console.error('The build has failed. When a source changes, it is tried again.')
    })
  },
}

const builds = await context({
  ...SERVER,
  absWorkingDir: ROOT,
  entryPoints: {
    [MAIN]: 'scripts/dev-server.mjs',
    [EMBEDDED]: 'packages/storage-pglite/src/index.ts',
  },
  outdir: ROOT,
  external: [...SERVER.external, '@electric-sql/pglite'],
  plugins: [EMBEDDED_DATABASE, RESTART],
  splitting: false,
  minifySyntax: false,
  sourcemap: 'linked',
  sourcesContent: false,
})
// Once: a second signal ends this process at once, and the server when it notices.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    await builds.dispose()
    await server.end()
  })
await builds.watch()

/** A program that is started again while it may be running. */
function restartable(program) {
  let child = null
  let isRestarting = false
  let isEnded = false

  const stop = async () => {
    if (child === null) return
    const exited = once(child, 'exit')
    // As Ctrl-C: it finishes its requests, and does not wait for a load balancer.
    child.kill('SIGINT')
    await exited
  }

  const start = () => {
    // The server ends when this channel is closed, and so with this process, however that ends.
    const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
    const started = spawn(process.execPath, ['--enable-source-maps', program, 'serve'], { stdio })
    child = started
    started.once('exit', (code, signal) => {
      child = null
      if (isRestarting || isEnded) return
      console.error(`The server has ended (${signal ?? code}). When a source changes, it is started again.`)
    })
  }

  return {
    async restart() {
      // The start that is awaited takes the newest bundle.
      if (isRestarting || isEnded) return
      isRestarting = true
      await stop()
      isRestarting = false
      if (!isEnded) start()
    },
    async end() {
      isEnded = true
      await stop()
    },
  }
}
