import type { ViteUserConfig } from 'vitest/config'
import shared from './vitest.shared.ts'

/** The tests of the repository itself. Some read the reports of the packages' tests, so these run first. */
const config: ViteUserConfig = { ...shared, test: { ...shared.test, include: ['test/*.test.ts'] } }
export default config
