import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import shared from '../../vitest.shared.ts'

const config: ViteUserConfig = mergeConfig(
  shared,
  defineConfig({
    test: {
      globalSetup: ['../../test/kit/src/chromium-setup.ts', 'test/published.ts'],
      // npm fetches every package anew, because its cache is empty.
      testTimeout: 600_000,
      hookTimeout: 600_000,
    },
  }),
)
export default config
