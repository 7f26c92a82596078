import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import shared from '../../vitest.shared.ts'

const config: ViteUserConfig = mergeConfig(
  shared,
  defineConfig({ test: { globalSetup: ['../node-server/test/chromium.ts'] } }),
)
export default config
