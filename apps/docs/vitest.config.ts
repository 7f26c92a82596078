import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import shared from '../../vitest.shared.ts'

const config: ViteUserConfig = mergeConfig(
  shared,
  defineConfig({
    test: {
      globalSetup: ['../../test/kit/src/chromium-setup.ts'],
      // Building the site takes half a minute on a quiet machine.
      testTimeout: 900_000,
      hookTimeout: 900_000,
    },
  }),
)
export default config
