import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import shared from '../../vitest.shared.ts'

/** The tests wait for databases, timers and programs most of their time. */
const config: ViteUserConfig = mergeConfig(shared, defineConfig({ test: { maxWorkers: 3 } }))
export default config
