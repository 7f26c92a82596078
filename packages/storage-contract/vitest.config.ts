import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** Core's suite once for each storage, and the tests of this folder. */
const config: ViteUserConfig = defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: 'node_modules/.vitest/report.json' }]],
    projects: [
      {
        test: {
          name: 'conformance',
          include: ['test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      ...['postgres', 'mix'].map((name) => ({
        resolve: {
          alias: [
            { find: '@ostiary/core/memory', replacement: path('src/storage.ts') },
            { find: '@ostiary/core', replacement: path('../core/src/index.ts') },
          ],
        },
        test: {
          name,
          root: path('../core'),
          include: ['test/**/*.test.ts'],
          // What it looks at is the source, whatever the storage.
          exclude: ['test/architecture.test.ts'],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          env: { CONTRACT_STORAGE: name },
          // Core runs all of them itself, on two runtimes; here it is about what a database makes of odd text.
          provide: { property_runs: 25 },
        },
      })),
    ],
  },
})
export default config
