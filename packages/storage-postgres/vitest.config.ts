import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import shared from '../../vitest.shared.ts'

/** The tests wait for databases half of their time. */
const config: ViteUserConfig = mergeConfig(shared, defineConfig({ test: { maxWorkers: 2 } }))
export default config
