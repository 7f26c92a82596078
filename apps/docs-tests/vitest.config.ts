import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import shared from '../../vitest.shared.ts'

/** The files wait for processes most of their time: two at once take little more than one. */
const config: ViteUserConfig = mergeConfig(shared, defineConfig({ test: { maxWorkers: 2 } }))
export default config
