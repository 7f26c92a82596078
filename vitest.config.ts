import type { ViteUserConfig } from 'vitest/config'
import shared from './vitest.shared.ts'

/** The repository's own tests: they look at what the packages' tests have left behind. */
const config: ViteUserConfig = { ...shared, test: { ...shared.test, include: ['test/*.test.ts'] } }
export default config
