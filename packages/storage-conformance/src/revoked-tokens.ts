import { expect } from 'vitest'
import { LATER, ODD_LIST } from './records.js'
import { parallel, type Rules } from './rule.js'

export function revokedTokenRules({ rule }: Rules): void {
  rule('has: true for what was added, false for the rest', async ({ store, id }) => {
    expect(await store.revoked_tokens.has(id('a'))).toBe(false)
    await store.revoked_tokens.add(id('a'), LATER)
    expect(await store.revoked_tokens.has(id('a'))).toBe(true)
    for (const unknown of [id('b'), id('A'), ...ODD_LIST]) {
      expect(await store.revoked_tokens.has(unknown)).toBe(false)
    }
  })

  rule('add: the same token again is no error, not even in parallel', async ({ store, id }) => {
    await parallel(50, () => store.revoked_tokens.add(id('a'), LATER))
    await store.revoked_tokens.add(id('a'), LATER)
    expect(await store.revoked_tokens.has(id('a'))).toBe(true)
  })
}
