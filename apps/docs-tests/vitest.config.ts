import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import { ON_BUILT } from '../../vitest.shared.ts'

/** The files wait for processes most of their time: two at once take little more than one. */
const config: ViteUserConfig = mergeConfig(ON_BUILT, defineConfig({ test: { maxWorkers: 2 } }))
export default config
