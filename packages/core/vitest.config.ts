import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import { FROM_SOURCES, WEEKLY } from '../../vitest.shared.ts'

/** The package under its own name, from source: the tests are written as its users write. */
const config: ViteUserConfig = mergeConfig(
  FROM_SOURCES,
  defineConfig({
    // `property_runs` is in per cent. Each run has other texts.
    test: { provide: { property_runs: WEEKLY ? 1000 : 100 } },
    resolve: {
      alias: [
        {
          find: '@ostiary/core/memory',
          replacement: fileURLToPath(new URL('src/storage/memory/memory-storage.ts', import.meta.url)),
        },
        {
          find: '@ostiary/core/development',
          replacement: fileURLToPath(new URL('src/provider/development.ts', import.meta.url)),
        },
        { find: '@ostiary/core', replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) },
      ],
    },
  }),
)
export default config
