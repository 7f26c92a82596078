export { type RedisStorageOptions, redisStorage } from './redis-storage.js'
export type { RedisConnection } from './script.js'
