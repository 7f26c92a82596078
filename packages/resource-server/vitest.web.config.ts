/**
 * The tests once more, with the Web APIs that other runtimes have in place of the modules of Node (`imports` of package.json). The short run
 * has those of the files that import them; the weekly run has all.
 */

import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import { FROM_SOURCES } from '../../vitest.shared.ts'

/** What does not depend on it: the published package, its README, and modules that only Node has. */
const ONCE = [
  'test/pack.long.test.ts',
  'test/platform.test.ts',
  'test/snippets.test.ts',
  'test/turns.test.ts',
]

const config: ViteUserConfig = defineConfig({
  ...FROM_SOURCES,
  // Deno has the condition `node` too, and gets Web APIs.
  ssr: { resolve: { conditions: ['development', 'deno', 'node'] } },
  test: {
    ...FROM_SOURCES.test,
    env: { TESTED_PLATFORM: 'web' },
    exclude: [...configDefaults.exclude, ...ONCE],
    reporters: ['default'],
  },
})
export default config
