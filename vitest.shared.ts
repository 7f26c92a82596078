import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'

/** The script `test:long` sets it: more rounds, more servers, more rows, and the files `*.long.test.ts`. */
export const LONG: boolean = process.env.OSTIARY_LONG === '1'

/** docs/contract-coverage.md is checked against the reports of the short run. */
const REPORT = ['report', ...('Bun' in globalThis ? ['bun'] : []), ...(LONG ? ['long'] : []), 'json'].join(
  '.',
)

/** The settings that all packages share. Tests stand beside the source and in test/. */
const config: ViteUserConfig = defineConfig({
  // Other packages of this repository resolve to their source: tests need no build.
  ssr: { resolve: { conditions: ['development', 'node'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(LONG ? [] : ['**/*.long.test.ts'])],
    // No file leaves anything behind for the next one, so they can share the modules: half the time.
    isolate: false,
    // The only clock of a test: a busy machine is many times slower.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ['default', ['json', { outputFile: `node_modules/.vitest/${REPORT}` }]],
  },
})
export default config
