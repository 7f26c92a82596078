/** The address of a Redis, checked without a client of Redis: this entry point loads none. */

export { REDIS_FORMS, redisAddressFault, redisPasswords } from './connection/address.js'
