import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import { LONG, ON_BUILT } from '../../vitest.shared.ts'

const config: ViteUserConfig = mergeConfig(
  ON_BUILT,
  defineConfig({
    test: {
      globalSetup: ['../../test/kit/src/chromium-setup.ts', ...(LONG ? ['test/runtimes.ts'] : [])],
      // Several processes and a browser start here.
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  }),
)
export default config
