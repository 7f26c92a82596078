import { expect } from 'vitest'
import { LATER, LONG_AGO, NOW, ODD_LIST } from './records.js'
import { drain, parallel, type Rules } from './rule.js'

export function revokedTokenRules({ rule }: Rules): void {
  rule('has: true for added tokens, false for others', async ({ store, id }) => {
    expect(await store.revoked_tokens.has(id('a'))).toBe(false)
    await store.revoked_tokens.add(id('a'), LATER)
    expect(await store.revoked_tokens.has(id('a'))).toBe(true)
    for (const unknown of [id('b'), id('A'), ...ODD_LIST]) {
      expect(await store.revoked_tokens.has(unknown)).toBe(false)
    }
  })

  rule('add: adding the same token again succeeds, also in parallel', async ({ store, id }) => {
    await parallel(50, () => store.revoked_tokens.add(id('a'), LATER))
    await store.revoked_tokens.add(id('a'), LATER)
    expect(await store.revoked_tokens.has(id('a'))).toBe(true)
  })

  rule('add: adding the same token again replaces its expiry', async ({ store, id }) => {
    await store.revoked_tokens.add(id('a'), LONG_AGO)
    await store.revoked_tokens.add(id('a'), LATER)
    await drain(store, NOW)
    expect(await store.revoked_tokens.has(id('a'))).toBe(true)
  })
}
