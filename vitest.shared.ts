import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** Which tests ran, for docs/contract-coverage.md to be checked against. */
const report = 'Bun' in globalThis ? 'report.bun.json' : 'report.json'

/** What every package's tests have in common. Tests stand beside the source and in test/. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: `node_modules/.vitest/${report}` }]],
  },
})
export default config
