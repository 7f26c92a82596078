import {
  defineConfig,
  mergeConfig,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config'
import { LONG, ON_BUILT, WEEKLY } from '../../vitest.shared.ts'

/**
 * What starts no server, or starts the same commands as another file; and what is about the pages in a browser more than
 * about who sends them. On Bun, `openid-client` goes through the flows, and in the long run `pages` through those in Chromium.
 */
const NODE_ONLY = [
  'account.long',
  'access-rules.long',
  'access-pages.weekly',
  'factor-pages.long',
  'passkeys-alone.long',
  'preview.long',
  'mail-server.long',
  'browser',
  'form-redirects.long',
  'commands',
  'commands-access',
  'commands-manage',
  'demo.long',
  'dev.long',
  'doctor',
  'old-node',
  'command-events',
  'first-start',
  'first-start-stopped.long',
  'flushed-redis.long',
  'loaded-modules',
  'loading-page',
  'migrate',
  'migrate.long',
  'move.long',
  'page-languages.weekly',
  'preview.weekly',
  'upstream-pages.weekly',
  'recovery-pages.weekly',
  'upstream-other.long',
  'factor-languages.weekly',
  'mail-request-times.weekly',
  'rows-of-strangers.long',
  'explain.long',
  'console',
  'console.long',
  'console-pages.weekly',
]
/**
 * Sockets, signals, pages and commands: `server`, `storage`, `commands` and `openid-client` show what most of it needs of a runtime, and
 * the long run has these on Bun.
 */
const LONG_ON_BUN = ['attacks', 'challenges', 'idle', 'pages.long', 'workers']
/** The same commands, sign-ins, mails and pages as in those. */
const WEEKLY_ON_BUN = [
  'account-deletion.long',
  'commands-email-sign-in.long',
  'commands-embedded.long',
  'commands-factors',
  'commands-invitations',
  'commands-links.long',
  'commands-mails',
  'commands-recovery',
  'commands-restored',
  'console-snippets',
  'email-change.long',
  'email-codes.long',
  'factor-offer.long',
  'forgotten-password.long',
  'invitation.long',
  'passkeys',
  'password-rules.long',
  'recovery-by-mail.long',
  'recovery-link.long',
  'remembered-device.long',
  'remote-login',
  'remote-login.long',
  'restored',
  'rolling-restart',
  'secret-change',
  'sign-up.long',
  'starts',
  'terms.long',
  'upstream.long',
  'workers.long',
]
/** Servers under load: the short run has it on neither. */
const LONG_ON_NODE = ['rolling-restart']
/** The short run has some on Node, the long run more on Bun, the weekly run more on Node. */
const RANDOM = ['random-requests']

/** The same tests for each server. */
const project = (server: 'node' | 'bun', exclude: string[]): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name: server,
    provide: { server },
    exclude: exclude.map((name) => `test/${name}.test.ts`),
  },
})
/** What each server leaves out in this run. */
function left(): { node: string[]; bun: string[] } {
  const isLong = (name: string) => name.endsWith('.long') || LONG_ON_NODE.includes(name)
  const shortOnNode = WEEKLY_ON_BUN.filter((name) => !isLong(name))
  if (WEEKLY) return { node: WEEKLY_ON_BUN, bun: [...NODE_ONLY, ...LONG_ON_BUN, ...RANDOM] }
  if (LONG)
    return { node: [...LONG_ON_BUN, ...shortOnNode, ...RANDOM], bun: [...NODE_ONLY, ...WEEKLY_ON_BUN] }
  return { node: LONG_ON_NODE, bun: [...NODE_ONLY, ...LONG_ON_BUN, ...WEEKLY_ON_BUN, ...RANDOM] }
}
const PROJECTS = [project('node', left().node), project('bun', left().bun)]

const config: ViteUserConfig = mergeConfig(
  ON_BUILT,
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
