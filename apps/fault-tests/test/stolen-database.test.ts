/** A copy of the whole database contains no usable credential. */

import { createDecipheriv, createHash, createPrivateKey, hkdfSync } from 'node:crypto'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { SECRET } from '@ostiary/test-kit/server'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { dumpPostgres, dumpRedis } from './dump.ts'
import { everyFlow, flowConfig } from './every-flow.ts'
import { provider } from './provider.ts'
import { receiver } from './receiver.ts'
import { report } from './report.ts'
import { formsOf, overheard, shownIn } from './secrets.ts'
import { ownRedis } from './services.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

/** PEM, a JWK's private exponent, and the bytes near the start of every PKCS #8 RSA key. */
const UNSEALED_KEY = /PRIVATE KEY|"d" ?: ?"|NBgkqhkiG9w0BAQEFAASC/g

/** Opens a key as core seals it (docs/architecture.md, Secrets), so that the dump can be searched for it. */
function openedKey(kid: string, sealed_private_key: string): string[] {
  const seal = Buffer.from(hkdfSync('sha256', SECRET, 'ostiary', 'signing keys', 32))
  const sealed = Buffer.from(sealed_private_key, 'base64url')
  const opening = createDecipheriv('aes-256-gcm', seal, sealed.subarray(0, 12))
  opening.setAAD(Buffer.from(`default/${kid}`)).setAuthTag(sealed.subarray(-16))
  const pkcs8 = Buffer.concat([opening.update(sealed.subarray(12, -16)), opening.final()])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const { d = '', p = '', q = '' } = key.export({ format: 'jwk' })
  const pem = key.export({ format: 'pem', type: 'pkcs8' }).toString().split('\n')[3] ?? ''
  return [d, p, q, pem, pkcs8.toString('base64url'), pkcs8.toString('base64'), pkcs8.toString('hex')]
}

it('a dump of PostgreSQL and Redis after a full run shows no code, token, session, secret, password or private key', async () => {
  const DATABASE_URL = await ownDatabase()
  const { url: REDIS_URL } = await ownRedis()
  const logoutReceiver = await receiver()
  logoutReceiver.mood('down')
  const server = await provider({
    config: flowConfig(logoutReceiver),
    env: { DATABASE_URL, REDIS_URL, OSTIARY_SESSIONS: 'redis' },
  })
  const database = postgresExecutor(DATABASE_URL, UNLIMITED)
  const redis = new Redis(REDIS_URL)
  onTestFinished(async () => {
    redis.disconnect()
    await database.close()
  })
  const dumps = { postgres: '', redis: '' }
  const secrets = overheard()
  const flows = await everyFlow(server.origin, async () => {
    dumps.postgres += `${await dumpPostgres(database)}\n`
    dumps.redis += `${await dumpRedis(redis)}\n`
  })
  const keys = await database.query<{ kid: string; sealed_private_key: string }>(
    'select kid, sealed_private_key from oidc_signing_keys',
  )
  secrets.set('private_key', new Set(keys.flatMap((key) => openedKey(key.kid, key.sealed_private_key))))
  secrets.set('OIDC_SECRET', new Set([SECRET]))

  // The run was complete, and the dump contains what was stored.
  const known = Object.fromEntries([...secrets].map(([kind, values]) => [kind, values.size]))
  for (const kind of flows.kinds) expect([kind, known[kind] ?? 0]).not.toEqual([kind, 0])
  const hashed = (kind: string) => [...(secrets.get(kind) ?? [])].map(sha256)
  const stored = (kind: string) => hashed(kind).filter((hash) => dumps.postgres.includes(hash)).length
  const inRedis = (kind: string) => hashed(kind).filter((hash) => dumps.redis.includes(hash)).length
  const controls = {
    codes: stored('code'),
    refresh_tokens: stored('refresh_token'),
    client_secrets: stored('client_secret'),
    sealed_keys: keys.filter(({ sealed_private_key: key }) => dumps.postgres.includes(key)).length,
    sessions: inRedis('cookie'),
    consents_asked: inRedis('auth_token'),
    logouts_asked: inRedis('confirmation_token'),
  }
  for (const [what, found] of Object.entries(controls)) expect([what, found]).not.toEqual([what, 0])
  // A request that waits for a sign-in is kept by the browser.
  expect(inRedis('return_to') + stored('return_to')).toBe(0)
  expect(flows.tables.filter((table) => !dumps.postgres.includes(`public.${table} {`))).toEqual([])

  const shown = {
    in_postgres: shownIn(dumps.postgres, secrets),
    in_redis: shownIn(dumps.redis, secrets),
    in_the_log: shownIn(server.output(), secrets),
  }
  report('A full run, and a search of everything stored for every secret of it', {
    flows: flows.steps,
    secrets: known,
    hashes_found: controls,
    characters_searched: [dumps.postgres.length, dumps.redis.length, server.output().length],
    secrets_shown: Object.values(shown).flat().length,
  })
  expect(shown).toEqual({ in_postgres: [], in_redis: [], in_the_log: [] })
  const keyLike = Object.values(dumps).flatMap((dump) => dump.match(UNSEALED_KEY) ?? [])
  expect(keyLike).toEqual([])
})

it('the search finds a secret in a table and in Redis, in each of its forms', async () => {
  const database = postgresExecutor(await ownDatabase(), UNLIMITED)
  const redis = new Redis((await ownRedis()).url)
  onTestFinished(async () => {
    redis.disconnect()
    await database.close()
  })
  const secret = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  const secrets = new Map([['code', new Set([secret])]])
  const forms = formsOf(secret)
  await database.query('create table planted (kept jsonb)')
  let found = 0
  for (const form of forms) {
    await database.query('delete from planted')
    expect(shownIn(await dumpPostgres(database), secrets)).toEqual([])
    await database.query('insert into planted values ($1::text::jsonb)', [
      JSON.stringify({ text: `x${form}y` }),
    ])
    found += shownIn(await dumpPostgres(database), secrets).length
    for (const [kind, put] of Object.entries({
      string: () => redis.set('planted', `x${form}y`),
      hash: () => redis.hset('planted', 'field', form),
      set: () => redis.sadd('planted', form),
      zset: () => redis.zadd('planted', 1, form),
      list: () => redis.rpush('planted', form),
      key: () => redis.set(`planted:${form}`, '1'),
    })) {
      await redis.flushdb()
      await put()
      expect([kind, shownIn(await dumpRedis(redis), secrets)]).toEqual([kind, ['code']])
    }
  }
  expect(found).toBe(forms.length)
})
