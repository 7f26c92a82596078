import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import { ON_BUILT } from '../../vitest.shared.ts'

/** Servers start and die in these, and leases run out: each file takes a while, most of it waiting. */
const config: ViteUserConfig = mergeConfig(
  ON_BUILT,
  defineConfig({
    test: {
      testTimeout: 600_000,
      maxWorkers: 4,
      exclude: process.env.OSTIARY_MOUNT === '1' ? [] : ['**/*.mount.test.ts'],
    },
  }),
)
export default config
