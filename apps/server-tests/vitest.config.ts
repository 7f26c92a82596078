import {
  defineConfig,
  mergeConfig,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config'
import shared from '../../vitest.shared.ts'

/** Tests of the commands that Node's server alone has, and of what does not depend on the server. */
const NODE_ONLY = ['test/commands.test.ts']

/** The same tests for each server. */
const project = (server: 'node' | 'bun', exclude: string[] = []): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name: server, provide: { server }, exclude },
})

const config: ViteUserConfig = mergeConfig(
  shared,
  defineConfig({
    test: {
      globalSetup: ['./test/chromium.ts'],
      projects: [project('node'), project('bun', NODE_ONLY)],
    },
  }),
)
export default config
