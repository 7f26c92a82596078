import {
  defineConfig,
  mergeConfig,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config'
import shared, { LONG } from '../../vitest.shared.ts'

/**
 * What starts no server, or starts the same commands as another file; and what is about the pages in a browser more than
 * about who sends them. On Bun, `pages` goes through each of those in Chromium, `openid-client` through the flows.
 */
const NODE_ONLY = [
  'account',
  'browser',
  'form-redirects',
  'commands',
  'commands-access',
  'commands-embedded',
  'commands-manage',
  'demo',
  'doctor',
  'command-events',
  'first-start',
  'flushed-redis',
  'migrate',
  'move.long',
  'page-languages.long',
]
/** Sockets and signals: `server` and `workers` show what most of it needs, and the long run has these on Bun. */
const REPEATED_ON_BUN = ['attacks', 'rolling-restart']

/** The same tests for each server. */
const project = (server: 'node' | 'bun', exclude: string[]): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name: server,
    provide: { server },
    exclude: exclude.map((name) => `test/${name}.test.ts`),
  },
})
const PROJECTS = LONG
  ? [project('node', REPEATED_ON_BUN), project('bun', NODE_ONLY)]
  : [project('node', []), project('bun', [...NODE_ONLY, ...REPEATED_ON_BUN])]

const config: ViteUserConfig = mergeConfig(
  shared,
  defineConfig({
    test: {
      globalSetup: ['../../test/kit/src/chromium-setup.ts'],
      // A test here waits for a server or a browser most of the time.
      maxWorkers: 3,
      testTimeout: 300_000,
      hookTimeout: 300_000,
      projects: PROJECTS,
    },
  }),
)
export default config
