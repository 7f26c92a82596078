import { factorRules } from '@ostiary/test-kit/factor-rules'
import { memoryUserStores } from '../src/index.js'

factorRules('factors in memory', async () => ({ ...memoryUserStores(), close: async () => {} }))
