import { storageConformance } from '@ostiary/storage-conformance'
import { redisStorage } from '../src/index.js'
import { connect, randomPrefix, removeBelow } from './support.js'

const redis = connect()
const prefix = randomPrefix()

storageConformance({
  name: 'Redis storage',
  create: async () => redisStorage(redis, { prefix }),
  async destroy() {
    await removeBelow(redis, prefix)
    redis.disconnect()
  },
})
