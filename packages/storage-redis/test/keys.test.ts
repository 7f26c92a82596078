import { personTag } from '@ostiary/core'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { eventually } from '@ostiary/test-kit/eventually'
import { expect, it } from 'vitest'
import { redisStorage } from '../src/index.js'
import { code, fill, grant, idOf, LATER, NOW, redemption, refreshToken } from './records.js'
import { connect, keysBelow, ownCorner } from './support.js'

const { redis, prefix } = ownCorner()

/** The part of a key that a cluster hashes: between its first brace and the next closing one. */
const hashTag = (key: string): string | undefined => key.match(/^[^{]*\{([^}]+)\}/)?.[1]

it('a person has one hash tag in each realm, a record of the realm has that of the realm, and no other has it', async () => {
  const tag = personTag('alice')
  const [of_alice, encoded] = [`a:${tag}`, `a%3A${tag}`]
  const realms = { a: 'a', 'a.b': 'a.b', 'a}{b': 'a%7D%7Bb', 'é:*': '%C3%A9%3A*', [of_alice]: encoded }
  for (const realm of Object.keys(realms)) await fill(redisStorage(redis, { prefix })(realm))
  const keys = await keysBelow(redis, prefix)
  for (const realm of Object.values(realms)) {
    expect(keys.filter((key) => hashTag(key) === realm).length, realm).toBe(17)
    expect(keys.filter((key) => hashTag(key) === `${realm}:${tag}`).length, realm).toBe(17)
  }
  expect(keys).toHaveLength(Object.keys(realms).length * (17 + 17))
})

it('a script with several keys declares one that is never stored, so that a cluster that moves them refuses it', async () => {
  const monitor = await redis.monitor()
  const declared: string[][] = []
  monitor.on('monitor', (_time, [command = '', _script, keys = '0', ...args]: string[]) => {
    const [first = ''] = args
    if (/^eval/i.test(command) && Number(keys) > 1 && first.startsWith(prefix))
      declared.push(args.slice(0, Number(keys)))
  })
  await fill(redisStorage(redis, { prefix })('declared'))
  await eventually(() => expect(declared.length).toBeGreaterThan(8))
  monitor.disconnect()
  const nevers = ['declared', `declared:${personTag('alice')}`].map((tag) => `${prefix}{${tag}}:never-stored`)
  const isGuarded = (keys: string[]) =>
    nevers.some((never) => keys.includes(never) && hashTag(never) === hashTag(keys[0] ?? ''))
  expect(declared.filter((keys) => !isGuarded(keys))).toEqual([])
  for (const never of nevers)
    expect(
      declared.some((keys) => keys.includes(never)),
      never,
    ).toBe(true)
  expect(await redis.exists(...nevers)).toBe(0)
})

it('storages with different prefixes are separate', async () => {
  const [one, two] = [`${prefix}one`, `${prefix}one:two`].map((own) => redisStorage(redis, { prefix: own }))
  if (!one || !two) throw new Error('unreachable')
  await fill(one('default'))
  const store = two('default')
  expect(await store.clients.find('app')).toBeNull()
  expect(await store.keys.list()).toEqual([])
  expect(await store.sessions.end(idOf('s'), NOW, 30)).toBeNull()
  expect(await store.grants.findRefreshToken(idOf('t2'))).toBeNull()
  expect(await store.grants.revoke({ grant_id: idOf('g') }, NOW)).toBe(0)
  expect(
    await store.logouts.claim({
      now: NOW,
      lease: 30,
      limit: 10,
      share: 10,
      except: { hosts: [], subs: [] },
    }),
  ).toEqual([])
  expect(await store.purge(LATER + 9)).toBe(0)
  expect(await one('default').grants.find(idOf('g'))).toMatchObject({ revoked_at: null })
})

it("works with the connection's own keyPrefix, and refuses a brace in both prefixes", async () => {
  const own = connect({ keyPrefix: `${prefix}own:` })
  const { grants, sessions, purge } = redisStorage(own)('default')
  await fill(redisStorage(own)('default'))
  expect(await grants.findRefreshToken(idOf('t2'))).toMatchObject({ grant: { grant_id: idOf('g') } })
  expect(await grants.revoke({ sid: idOf('s') }, NOW)).toBe(1)
  expect(await sessions.list('alice')).toMatchObject([{ client_ids: ['app'] }])
  expect(await purge(LATER + 1)).toBe(5)
  const keys = await keysBelow(redis, `${prefix}own:`)
  const roots = ['default', `default:${personTag('alice')}`].map((tag) => `${prefix}own:ostiary:{${tag}}:`)
  expect(keys.filter((key) => !roots.some((root) => key.startsWith(root)))).toEqual([])
  own.disconnect()

  expect(() => redisStorage(redis, { prefix: 'a{b' })).toThrow('prefix')
  const braced = connect({ keyPrefix: '{x}', lazyConnect: true })
  expect(() => redisStorage(braced)).toThrow('prefix')
})

it('two servers: one caller wins, and each sees at once what the other spends or revokes', async () => {
  const second = connect()
  const stores = [redis, second].map((connection) => redisStorage(connection, { prefix })('servers'))
  const [one, two] = stores
  if (!one || !two) throw new Error('unreachable')
  await one.grants.create(grant(), code(idOf('g')))
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, n) => {
      const next = redemption(refreshToken(idOf(`t${n}`)))
      return (n % 2 ? one : two).grants.redeemCode(idOf('g-code'), next, NOW)
    }),
  )
  const winner = results.indexOf(true)
  expect(results.filter(Boolean)).toHaveLength(1)
  for (const { grants } of stores) {
    expect(await grants.findRefreshToken(idOf(`t${winner}`))).toMatchObject({ grant: { revoked_at: null } })
    expect(await grants.findRefreshToken(idOf(`t${winner === 0 ? 1 : 0}`))).toBeNull()
  }
  const next = { refresh_token: null, grant_expires_at: LATER }
  expect(await two.grants.rotateRefreshToken(idOf(`t${winner}`), next, NOW)).toBe(true)
  expect(await one.grants.rotateRefreshToken(idOf(`t${winner}`), next, NOW)).toBe(false)
  expect(await one.grants.revoke({ grant_id: idOf('g') }, NOW)).toBe(1)
  expect(await two.grants.find(idOf('g'))).toMatchObject({ revoked_at: NOW })
  second.disconnect()
})

it('a client of an earlier release has the default of every field that it lacks', async () => {
  const store = redisStorage(redis, { prefix })('earlier')
  const record = clientRecord({ client_id: 'old', client_secret_hash: 'hash' })
  await store.clients.create(record)
  const [key] = (await keysBelow(redis, prefix)).filter((name) => name.endsWith('client:old'))
  const stored = JSON.parse((await redis.hget(key ?? '', 'client')) ?? '{}')
  // What the release before knows, and reads in the record of this one.
  expect(stored).toMatchObject({ self_registered: false })
  expect(stored).not.toHaveProperty('origin')
  for (const field of LATER_FIELDS) delete stored[field]
  await redis.hset(key ?? '', 'client', JSON.stringify(stored))
  expect(await store.clients.find('old')).toEqual(record)
  expect(await store.clients.list({ limit: 1 })).toEqual([record])
})

it('a grant of an earlier release: the method of its client and its keys are unknown', async () => {
  const { grants } = redisStorage(redis, { prefix })('earlier-grant')
  await grants.create(grant(), code(idOf('g')))
  const [key = ''] = (await keysBelow(redis, `${prefix}{earlier-grant:`)).filter((name) =>
    name.endsWith(`:grant:${idOf('g')}`),
  )
  const without = async (field: string, ...names: string[]) => {
    const record = JSON.parse((await redis.hget(key, field)) ?? '{}')
    for (const name of names) delete record[name]
    await redis.hset(key, field, JSON.stringify(record))
  }
  await without('grant', 'client_auth', 'jkt')
  await without(`code:${idOf('g-code')}`, 'dpop_jkt')
  expect(await grants.findCode(idOf('g-code'))).toEqual({ code: code(idOf('g')), grant: grant() })
  const redeemed = { ...redemption(refreshToken(idOf('t'))), jkt: 'the key' }
  expect(await grants.redeemCode(idOf('g-code'), redeemed, NOW)).toBe(true)
  expect(await grants.find(idOf('g'))).toMatchObject({ client_auth: 'none', jkt: 'the key' })
  expect(await redis.hdel(key, 'client_auth', 'jkt')).toBe(2)
  expect(await grants.find(idOf('g'))).toEqual(grant())
  expect(await grants.list('alice', NOW)).toEqual([grant()])
  expect(await grants.findRefreshToken(idOf('t'))).toMatchObject({ grant: { client_auth: null, jkt: null } })
})

const LATER_FIELDS = [
  'token_endpoint_auth_methods',
  'token_endpoint_auth_signing_alg',
  'id_token_signed_response_alg',
  'dpop_bound_access_tokens',
  'require_pushed_authorization_requests',
  'jwks',
  'jwks_uri',
  'require_pkce',
  'default_resource',
  'logo_uri',
  'client_uri',
  'policy_uri',
  'tos_uri',
  'access_token_lifetime',
  'refresh_token_lifetime',
  'refresh_token_grace',
  'verification_uri_complete',
  'allowed_groups',
  'required_acr',
]

it('revokeOfClient reads many grants in steps, and leaves none out', async () => {
  const { grants } = redisStorage(redis, { prefix })('many')
  const all = Array.from({ length: 1500 }, (_, n) => ({ n, client_id: n % 3 === 0 ? 'gone' : 'stays' }))
  const make = async ({ n, client_id }: { n: number; client_id: string }) => {
    const sub = `sub-${n % 7}`
    const grant_id = idOf(`m-${n}`, sub)
    await grants.create(grant({ grant_id, client_id, sub, sid: idOf('s', sub) }), code(grant_id))
  }
  await Promise.all(all.map(make))
  let revoked = 0
  let steps = 0
  let after: string | null = null
  do {
    const sweep = { client_id: 'gone', before: LATER, ...(after !== null && { after }) }
    const step: { count: number; next: string | null } = await grants.revokeOfClient(sweep, NOW)
    revoked += step.count
    steps += 1
    after = step.next
  } while (after !== null)
  expect(revoked).toBe(500)
  expect(steps).toBeGreaterThan(1)
  const lists = await Promise.all([0, 1, 2, 3, 4, 5, 6].map((n) => grants.list(`sub-${n}`, NOW)))
  expect(lists.flat()).toHaveLength(1000)
  expect(new Set(lists.flat().map(({ client_id }) => client_id))).toEqual(new Set(['stays']))
})
