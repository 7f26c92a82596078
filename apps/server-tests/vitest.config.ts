import {
  defineConfig,
  mergeConfig,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config'
import shared from '../../vitest.shared.ts'

/**
 * What starts no server, or starts the same commands as another file; and what is about the pages in a browser more than
 * about who sends them. On Bun, `pages` goes through each of those in Chromium, `openid-client` through the flows.
 */
const NODE_ONLY = ['account', 'browser', 'commands-embedded', 'demo', 'doctor'].map(
  (name) => `test/${name}.test.ts`,
)

/** The same tests for each server. */
const project = (server: 'node' | 'bun', exclude: string[] = []): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name: server, provide: { server }, exclude },
})

const config: ViteUserConfig = mergeConfig(
  shared,
  defineConfig({
    test: {
      globalSetup: ['../../test/kit/src/chromium-setup.ts'],
      // A test here waits for a server or a browser most of the time.
      maxWorkers: 3,
      testTimeout: 120_000,
      hookTimeout: 120_000,
      projects: [project('node'), project('bun', NODE_ONLY)],
    },
  }),
)
export default config
