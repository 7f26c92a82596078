import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import shared from '../../vitest.shared.ts'

/** `passwords-cost` watches the calls of a module, which the other files must have loaded unwatched. */
const config: ViteUserConfig = mergeConfig(shared, defineConfig({ test: { isolate: true } }))
export default config
