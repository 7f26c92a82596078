import {
  defineConfig,
  mergeConfig,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config'
import shared, { LONG } from '../../vitest.shared.ts'

/**
 * What starts no server, or starts the same commands as another file; and what is about the pages in a browser more than
 * about who sends them. On Bun, `openid-client` goes through the flows, and in the long run `pages` through those in Chromium.
 */
const NODE_ONLY = [
  'account',
  'factor-pages.long',
  'passkeys-alone.long',
  'preview.long',
  'recovery-pages.long',
  'mail-server.long',
  'browser',
  'form-redirects',
  'commands',
  'commands-access',
  'commands-embedded',
  'commands-manage',
  'demo',
  'dev',
  'doctor',
  'command-events',
  'first-start',
  'flushed-redis',
  'loaded-modules',
  'migrate',
  'move.long',
  'page-languages.weekly',
  'factor-languages.weekly',
]
/**
 * Sockets, signals and pages: `server`, `workers` and `openid-client` show what most of it needs of a runtime, and the long run
 * has these on Bun.
 */
const REPEATED_ON_BUN = [
  'attacks',
  'commands-recovery',
  'commands-restored',
  'factor-offer',
  'pages',
  'passkeys',
  'recovery-link',
  'remembered-device',
  'restored',
  'rolling-restart',
]
/** The long run has more of them, on both. */
const LONG_ON_BOTH = ['random-requests']

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
  : [project('node', []), project('bun', [...NODE_ONLY, ...REPEATED_ON_BUN, ...LONG_ON_BOTH])]

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
