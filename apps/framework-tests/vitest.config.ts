import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import shared from '../../vitest.shared.ts'

const config: ViteUserConfig = mergeConfig(
  shared,
  defineConfig({
    test: {
      globalSetup: ['../../test/kit/src/chromium-setup.ts'],
      // npm fetches a whole framework into an empty cache, and the framework builds.
      testTimeout: 900_000,
      hookTimeout: 900_000,
      // Each file starts a build, which takes every processor.
      fileParallelism: false,
    },
  }),
)
export default config
