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
/** Bundles of their own, like the published packages: what they load is installed beside them. */
const BUNDLES = {
  '@ostiary/access-rules': 'packages/access-rules/.dev/index',
  '@ostiary/account-deletion': 'packages/account-deletion/.dev/index',
  '@ostiary/addresses': 'packages/addresses/.dev/index',
  '@ostiary/admin': 'packages/admin/.dev/index',
  '@ostiary/admin/resource': 'packages/admin/.dev/resource',
  '@ostiary/admin/roles': 'packages/admin/.dev/roles/index',
  '@ostiary/admin-client': 'packages/admin-client/.dev/index',
  '@ostiary/admin-client/client': 'packages/admin-client/.dev/client',
  '@ostiary/admin-client/commands': 'packages/admin-client/.dev/commands',
  '@ostiary/admin-client/local': 'packages/admin-client/.dev/local/index',
  '@ostiary/admin-client/remote': 'packages/admin-client/.dev/remote/index',
  '@ostiary/admin-commands': 'packages/admin-commands/.dev/index',
  '@ostiary/admin-commands/api': 'packages/admin-commands/.dev/api',
  '@ostiary/audit': 'packages/audit/.dev/index',
  '@ostiary/audit/rows': 'packages/audit/.dev/rows',
  '@ostiary/audit-sinks': 'packages/audit-sinks/.dev/index',
  '@ostiary/audit-sinks/commands': 'packages/audit-sinks/.dev/commands',
  '@ostiary/console': 'packages/console/.dev/index',
  '@ostiary/console/client': 'packages/console/.dev/client',
  '@ostiary/console-activity': 'packages/console-activity/.dev/index',
  '@ostiary/console-clients': 'packages/console-clients/.dev/index',
  '@ostiary/console-settings': 'packages/console-settings/.dev/index',
  '@ostiary/console-setup': 'packages/console-setup/.dev/index',
  '@ostiary/console-setup/commands': 'packages/console-setup/.dev/commands',
  '@ostiary/email-codes': 'packages/email-codes/.dev/index',
  '@ostiary/email-sign-in': 'packages/email-sign-in/.dev/index',
  '@ostiary/explain': 'packages/explain/.dev/index',
  '@ostiary/password-hashes': 'packages/password-hashes/.dev/index',
  '@ostiary/password-hashes/users': 'packages/password-hashes/.dev/users',
  '@ostiary/password-rules': 'packages/password-rules/.dev/index',
  '@ostiary/personal-data': 'packages/personal-data/.dev/index',
  '@ostiary/realm-operations': 'packages/realm-operations/.dev/index',
  '@ostiary/realms': 'packages/realms/.dev/index',
  '@ostiary/realms/api': 'packages/realms/.dev/api',
  '@ostiary/realms/console': 'packages/realms/.dev/console/index',
  '@ostiary/realms/commands': 'packages/realms/.dev/commands/index',
  '@ostiary/recovery': 'packages/recovery/.dev/index',
  '@ostiary/sign-up': 'packages/sign-up/.dev/index',
  '@ostiary/simulation': 'packages/simulation/.dev/index',
  '@ostiary/simulation/commands': 'packages/simulation/.dev/commands',
  '@ostiary/storage-pglite': 'packages/storage-pglite/.dev/index',
  '@ostiary/terms': 'packages/terms/.dev/index',
}

const OWN_BUNDLES = {
  name: 'bundles of their own',
  setup({ onResolve }) {
    onResolve(
      {
        filter:
          /^@ostiary\/(?:access-rules|account-deletion|addresses|admin|audit|audit-sinks|console|console-clients|console-settings|console-setup|email-codes|email-sign-in|explain|password-hashes|password-rules|personal-data|realm-operations|realms|recovery|sign-up|simulation|storage-pglite|terms)/,
      },
      ({ path }) =>
        path in BUNDLES
          ? { path: pathToFileURL(join(ROOT, `${BUNDLES[path]}.js`)).href, external: true }
          : null,
    )
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
    ...Object.fromEntries(Object.values(BUNDLES).map((file) => [file, `${file.replace('.dev', 'src')}.ts`])),
  },
  outdir: ROOT,
  external: [...SERVER.external, '@electric-sql/pglite', '@node-rs/bcrypt'],
  plugins: [OWN_BUNDLES, RESTART],
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
