/** The cache of verified tokens saves time and never changes an answer. */

import { importedKey } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { bearer, redeem, SECRET, type World, type WorldOptions, world } from './support.js'

async function start(options: WorldOptions = {}) {
  const w = await world(options)
  const { body } = await redeem(w, (await w.browser().code()).code)
  const token = String(body.access_token)
  return { w, token }
}

/** The principal's `sub`, or the reason of the refusal. */
async function ask(w: World, token: string, realm = w.realm): Promise<string> {
  const asked = new Request(w.issuer, { headers: bearer(token) })
  const principal = await w.provider.guard({ realm }).authenticate(asked)
  if (!(principal instanceof Response)) return principal.getAuthIdentifier()
  expect(principal.status).toBe(401)
  const refusal = w.events.findLast(({ type }) => type === 'bearer.refused')
  return refusal?.type === 'bearer.refused' ? refusal.reason : ''
}

it('a signature is verified once, and not again until the token expires', async () => {
  const { w, token } = await start()
  const results = new Set<unknown>()
  for (let i = 0; i < 5; i++) {
    const asked = new Request(w.issuer, { headers: bearer(token) })
    const principal = await w.provider.guard({ realm: w.realm }).authenticate(asked)
    if (principal instanceof Response) throw new Error('refused')
    results.add(principal.currentAccessToken().claims)
  }
  // A verification makes new claims.
  expect(results.size).toBe(1)
})

describe('A token that was accepted a moment ago is refused', () => {
  it('when it has expired', async () => {
    const { w, token } = await start({ oidc: { tokens: { access_token: 60 } } })
    expect(await ask(w, token)).toBe('alice')
    w.clock.now += 59
    expect(await ask(w, token)).toBe('alice')
    w.clock.now += 1
    expect(await ask(w, token)).toBe('ERR_JWT_EXPIRED')
  })

  it('when it was revoked', async () => {
    const { w, token } = await start()
    expect(await ask(w, token)).toBe('alice')
    await w.post('/oauth/revoke', { client_id: 'app', token })
    expect(await ask(w, token)).toBe('revoked_token')
  })

  it('when its user is deleted', async () => {
    const { w, token } = await start()
    expect(await ask(w, token)).toBe('alice')
    w.accounts.delete('alice')
    expect(await ask(w, token)).toBe('unknown_user')
  })

  it('when its key is no longer published', async () => {
    const { w, token } = await start()
    expect(await ask(w, token)).toBe('alice')
    const [key] = await w.storage(w.realm).keys.list()
    await (await w.provider.manage(w.realm)).keys.rotate({ publish_before: 0 })
    await w.storage(w.realm).keys.drop(key?.kid ?? '')
    w.clock.now += 31
    expect(await ask(w, token)).toBe('unknown_key')
  })

  it('in another realm', async () => {
    const { w, token } = await start({ routing: 'path' })
    expect(await ask(w, token)).toBe('alice')
    expect(await ask(w, token, 'other')).toBe('unknown_key')
    expect(await ask(w, token)).toBe('alice')
  })

  it('in another realm into which its key was imported', async () => {
    const { w, token } = await start({ routing: 'path' })
    const [key] = await w.storage(w.realm).keys.list()
    if (!key) throw new Error('no key')
    const copy = await importedKey(key, { sealed_for: w.realm, realm: 'other', secret: SECRET })
    await w.storage('other').keys.add(copy)
    expect(await ask(w, token)).toBe('alice')
    expect(await ask(w, token, 'other')).toBe('ERR_JWT_CLAIM_VALIDATION_FAILED')
  })

  it('with other claims under its signature, or another letter anywhere', async () => {
    const { w, token } = await start()
    const [head = '', claims = '', signature = ''] = token.split('.')
    const changed = Buffer.from(claims, 'base64url').toString().replace('"alice"', '"bob"')
    const others = [head.length - 2, head.length + 3, token.length - 200, token.length - 60].map(
      (at) => token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1),
    )
    expect(await ask(w, token)).toBe('alice')
    for (const forged of [`${head}.${Buffer.from(changed).toString('base64url')}.${signature}`, ...others]) {
      expect(forged).not.toBe(token)
      expect(['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', 'ERR_JWS_INVALID', 'unknown_key']).toContain(
        await ask(w, forged),
      )
    }
  })
})

it('a token that was refused is not remembered', async () => {
  const { w, token } = await start({ routing: 'path' })
  expect(await ask(w, token, 'other')).toBe('unknown_key')
  expect(await ask(w, token)).toBe('alice')
})
