/** `keys` is a hash of the realm's signing keys, by `kid`. */

import type { KeyStore, SigningKey } from '@ostiary/core'
import type { Root } from './keys.js'
import { type RedisConnection, scriptsOf } from './script.js'

// ARGV: kid, record, algorithm
const ENSURE = `
for _, record in ipairs(call('HVALS', KEYS[1])) do
  if cjson.decode(record).alg == ARGV[3] then return call('HVALS', KEYS[1]) end
end
call('HSET', KEYS[1], ARGV[1], ARGV[2])
return call('HVALS', KEYS[1])`

// ARGV: kid, encrypted private key
const RESEAL = `
local record = call('HGET', KEYS[1], ARGV[1])
if not record then return 0 end
local key = cjson.decode(record)
key.sealed_private_key = ARGV[2]
call('HSET', KEYS[1], ARGV[1], cjson.encode(key))
return 1`

export function keyStores(redis: RedisConnection): (root: Root) => KeyStore {
  const script = scriptsOf(redis)
  const ensure = script<string[]>('ostiaryEnsureKey', 1, ENSURE)
  const reseal = script<number>('ostiaryResealKey', 1, RESEAL)
  return (root) => {
    const keys = `${root}keys`
    return {
      list: async () => inOrder(await redis.hvals(keys)),
      ensure: async (first) => inOrder(await ensure(keys, first.kid, JSON.stringify(first), first.alg)),
      add: async (key) => void (await redis.hset(keys, key.kid, JSON.stringify(key))),
      reseal: async (kid, sealed_private_key) => (await reseal(keys, kid, sealed_private_key)) === 1,
      drop: async (kid) => void (await redis.hdel(keys, kid)),
    }
  }
}

function inOrder(records: string[]): SigningKey[] {
  const keys: SigningKey[] = records.map((record) => JSON.parse(record))
  return keys.sort((a, b) => a.signs_from - b.signs_from || (a.kid < b.kid ? -1 : 1))
}
