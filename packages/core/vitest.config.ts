import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import { FROM_SOURCES, LONG, WEEKLY } from '../../vitest.shared.ts'

/** What depends on the runtime: keys, signatures, HTTP, timers, random requests. The short run has all on Bun, the weekly run on Node. */
const ON_THE_RUNTIME = [
  'src/**/*.test.ts',
  'test/**/*.long.test.ts',
  'test/{algorithm-confusion,answers,authorize-http,bad-tokens,derivations,document-cache,dpop-token}.test.ts',
  'test/{client-assertion*,client-jwks-uri,clients*,code,*sign*,key-revocation,remote-validation}.test.ts',
  'test/{delivery-p*,failing-writes,logout-deliveries,parameter-counts,properties}.test.ts',
]
const settings: ViteUserConfig =
  LONG && !WEEKLY
    ? { ...FROM_SOURCES, test: { ...FROM_SOURCES.test, include: ON_THE_RUNTIME } }
    : FROM_SOURCES

/** The package under its own name, from source: the tests are written as its users write. */
const config: ViteUserConfig = mergeConfig(
  settings,
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
