import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** What every package's tests have in common. Tests stand beside the source and in test/. */
const config: ViteUserConfig = defineConfig({
  test: { include: ['src/**/*.test.ts', 'test/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 },
})
export default config
