import { expect } from 'vitest'
import { NOW, signingKey } from './records.js'
import { parallel, type Rules } from './rule.js'

export function keyRules({ rule }: Rules): void {
  rule('list: a new realm has no keys', async ({ store }) => {
    expect(await store.keys.list()).toEqual([])
  })

  rule('ensure: stores the first key, exactly, when the realm has none', async ({ store, id }) => {
    expect(await store.keys.ensure(signingKey(id('a')))).toEqual([signingKey(id('a'))])
    expect(await store.keys.list()).toEqual([signingKey(id('a'))])
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
