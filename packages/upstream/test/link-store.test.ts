import { memoryUsers } from '@ostiary/identity'
import { linkRules } from '@ostiary/test-kit/factors/link-rules'
import { memoryLinks } from '../src/index.js'

linkRules('links in memory', async () => {
  const users = memoryUsers()
  return { users, links: memoryLinks(users), close: async () => {} }
})
