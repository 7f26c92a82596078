import { expect } from 'vitest'
import { NOW, signingKey } from './records.js'
import { parallel, type Rules } from './rule.js'

const ALGORITHMS = ['RS256', 'ES256', 'PS256', 'EdDSA'] as const

export function keyRules({ rule }: Rules): void {
  rule('list: a new realm has no keys', async ({ store }) => {
    expect(await store.keys.list()).toEqual([])
  })

  rule('ensure: stores the first key, exactly, when the realm has none', async ({ store, id }) => {
    expect(await store.keys.ensure(signingKey(id('a')))).toEqual([signingKey(id('a'))])
    expect(await store.keys.list()).toEqual([signingKey(id('a'))])
  })

  rule('ensure: stores a first key of each algorithm, exactly', async ({ store, id }) => {
    const firsts = ALGORITHMS.map((alg, n) => signingKey(id(alg), NOW + n, alg))
    for (const [n, first] of firsts.entries()) {
      expect(await store.keys.ensure(first)).toEqual(firsts.slice(0, n + 1))
      expect(await store.keys.ensure(signingKey(id('other'), NOW, first.alg))).toEqual(firsts.slice(0, n + 1))
    }
    expect(await store.keys.list()).toEqual(firsts)
  })

  rule('ensure: a key of one algorithm that was added counts for that one only', async ({ store, id }) => {
    const added = signingKey(id('added'), NOW, 'ES256')
    await store.keys.add(added)
    expect(await store.keys.ensure(signingKey(id('es'), NOW + 1, 'ES256'))).toEqual([added])
    const ps = signingKey(id('ps'), NOW + 1, 'PS256')
    const rs = signingKey(id('rs'), NOW + 2)
    expect(await store.keys.ensure(ps)).toEqual([added, ps])
    expect(await store.keys.ensure(rs)).toEqual([added, ps, rs])
  })

  rule('ensure: 50 parallel callers for three algorithms get the same key of each', async ({ store, id }) => {
    const algorithms = ['RS256', 'ES256', 'EdDSA'] as const
    const algOf = (caller: number) => algorithms[caller % 3] ?? 'RS256'
    const results = await parallel(50, (caller) =>
      store.keys.ensure(signingKey(id(`${caller}`), NOW, algOf(caller))),
    )
    const keys = await store.keys.list()
    expect(keys.map(({ alg }) => alg).sort()).toEqual([...algorithms].sort())
    for (const [caller, result] of results.entries()) {
      const alg = algOf(caller)
      expect(result.filter((key) => key.alg === alg)).toEqual(keys.filter((key) => key.alg === alg))
    }
  })

  rule(
    'ensure: returns the keys of the realm, and stores nothing, when it has keys',
    async ({ store, id }) => {
      const keys = [signingKey(id('a'), NOW - 9), signingKey(id('b'), NOW + 9)]
      for (const key of keys.toReversed()) await store.keys.add(key)
      expect(await store.keys.ensure(signingKey(id('c')))).toEqual(keys)
      expect(await store.keys.list()).toEqual(keys)
    },
  )

  rule('ensure: 50 parallel callers get the same key', async ({ store, id }) => {
    const results = await parallel(50, (caller) => store.keys.ensure(signingKey(id(`${caller}`))))
    const keys = await store.keys.list()
    expect(keys).toHaveLength(1)
    for (const result of results) expect(result).toEqual(keys)
  })

  rule('add: replaces a key with the same kid', async ({ store, id }) => {
    await store.keys.ensure(signingKey(id('a')))
    const replaced = { ...signingKey(id('a'), NOW + 9), sealed_private_key: 'sealed again' }
    await store.keys.add(replaced)
    expect(await store.keys.list()).toEqual([replaced])
  })

  rule('reseal: replaces the sealed private key, and nothing else', async ({ store, id }) => {
    const key = signingKey(id('a'), NOW + 9)
    await store.keys.add(key)
    expect(await store.keys.reseal(id('a'), 'sealed again')).toBe(true)
    expect(await store.keys.list()).toEqual([{ ...key, sealed_private_key: 'sealed again' }])
  })

  rule('reseal: false for a key that was dropped, which stays dropped', async ({ store, id }) => {
    await store.keys.add(signingKey(id('a')))
    await store.keys.drop(id('a'))
    expect(await store.keys.reseal(id('a'), 'sealed again')).toBe(false)
    expect(await store.keys.list()).toEqual([])
  })

  rule('reseal, drop: a key of each algorithm; the others stay', async ({ store, id }) => {
    const firsts = ALGORITHMS.map((alg, n) => signingKey(id(alg), NOW + n, alg))
    for (const first of firsts) await store.keys.ensure(first)
    for (const { kid } of firsts) expect(await store.keys.reseal(kid, `${kid} again`)).toBe(true)
    const resealed = firsts.map((key) => ({ ...key, sealed_private_key: `${key.kid} again` }))
    expect(await store.keys.list()).toEqual(resealed)
    const [dropped, ...kept] = resealed
    for (const { kid } of kept) {
      await store.keys.drop(kid)
      const again = signingKey(id('again'), NOW + 9, kept.find((key) => key.kid === kid)?.alg)
      expect(await store.keys.ensure(again)).toContainEqual(again)
      await store.keys.drop(again.kid)
    }
    expect(await store.keys.list()).toEqual([dropped])
  })

  rule('list: oldest signs_from first', async ({ store, id }) => {
    const from = { a: NOW + 3600, b: NOW - 5, c: NOW, d: 999 }
    for (const [name, signs_from] of Object.entries(from)) {
      await store.keys.add(signingKey(id(name), signs_from))
    }
    const names = (await store.keys.list()).map(({ kid }) => kid)
    expect(names).toEqual([id('d'), id('b'), id('c'), id('a')])
  })

  rule(
    'drop: deletes one key; after the last one, ensure stores a first key again',
    async ({ store, id }) => {
      await store.keys.add(signingKey(id('a')))
      await store.keys.add(signingKey(id('b'), NOW + 1))
      await store.keys.drop(id('x'))
      await store.keys.drop(id('a'))
      expect(await store.keys.list()).toEqual([signingKey(id('b'), NOW + 1)])
      await store.keys.drop(id('b'))
      expect(await store.keys.list()).toEqual([])
      expect(await store.keys.ensure(signingKey(id('c')))).toEqual([signingKey(id('c'))])
    },
  )
}
