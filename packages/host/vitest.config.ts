import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import shared, { FROM_SOURCES } from '../../vitest.shared.ts'

/** What it compares has the descriptions of the settings, which built packages do not have. */
const GENERATED = 'test/generated.test.ts'

/** The tests wait for databases, timers and programs most of their time. */
const config: ViteUserConfig = mergeConfig(
  shared,
  defineConfig({
    test: {
      maxWorkers: 3,
      projects: [
        mergeConfig(shared, defineConfig({ test: { name: 'host', exclude: [GENERATED] } })),
        { ...FROM_SOURCES, test: { ...FROM_SOURCES.test, name: 'generated', include: [GENERATED] } },
      ],
    },
  }),
)
export default config
