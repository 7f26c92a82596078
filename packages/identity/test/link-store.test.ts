import { linkRules } from '@ostiary/test-kit/factors/link-rules'
import { memoryUserStores } from '../src/index.js'

linkRules('links in memory', async () => ({ ...memoryUserStores(), close: async () => {} }))
