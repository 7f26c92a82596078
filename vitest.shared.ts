import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** The results that docs/contract-coverage.md is checked against. */
const report = 'Bun' in globalThis ? 'report.bun.json' : 'report.json'

/** The settings that all packages share. Tests stand beside the source and in test/. */
const config: ViteUserConfig = defineConfig({
  // Other packages of this repository resolve to their source: tests need no build.
  ssr: { resolve: { conditions: ['development', 'node'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: `node_modules/.vitest/${report}` }]],
  },
})
export default config
