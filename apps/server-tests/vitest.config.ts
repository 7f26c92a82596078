import {
  defineConfig,
  mergeConfig,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config'
import shared from '../../vitest.shared.ts'

/** What starts no server, or starts the same commands as another file. */
const NODE_ONLY = ['account', 'commands-embedded', 'doctor'].map((name) => `test/${name}.test.ts`)

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
