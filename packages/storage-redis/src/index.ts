export { type RedisStorageOptions, redisStorage } from './redis-storage.js'
export type { Connection } from './script.js'
