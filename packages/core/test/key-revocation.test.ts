/** A signing key that has leaked is withdrawn at once, and forged tokens are refused. */

import { generateKeyPairSync, sign as rsaSign } from 'node:crypto'
import type { Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import { bearer, CLIENT_SECRET, client, payload, redeem, tokens, type World, world } from './support.js'

const service = () =>
  client({
    client_id: 'service',
    client_secret: CLIENT_SECRET,
    grant_types: ['client_credentials'],
  })
const start = async (routing: 'single' | 'path') =>
  world({ routing, clients: [await client({ trusted: true }), await service()] })

const machineToken = async (w: World) =>
  (
    await tokens(w, {
      grant_type: 'client_credentials',
      client_id: 'service',
      client_secret: CLIENT_SECRET,
    })
  ).body.access_token
const kidOf = (jwt: string): string =>
  JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid
const accepted = async (w: World, token: string) =>
  !(
    (await w.provider
      .guard({ realm: w.realm })
      .authenticate(new Request(w.issuer, { headers: bearer(token) }))) instanceof Response
  )
const published = async (w: World) => {
  const jwks = await (await w.provider.fetch(new Request(`${w.issuer}/.well-known/jwks.json`))).json()
  return (jwks as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
}

describe('keys.revoke (realms by single)', () => {
  const routing = 'single'
  it('the only key: a new key signs at once, and tokens of the old key are refused', async () => {
    const w = await start(routing)
    const token = await machineToken(w)
    const browser = w.browser()
    const granted = (await redeem(w, (await browser.code()).code)).body
    expect(await accepted(w, token)).toBe(true)
    const { keys } = await w.provider.manage(w.realm)
    expect(await keys.revoke(kidOf(token))).toBe(true)
    expect(await accepted(w, token)).toBe(false)
    expect(await accepted(w, granted.access_token)).toBe(false)
    expect(await published(w)).not.toContain(kidOf(token))
    const fresh = await machineToken(w)
    expect(kidOf(fresh)).not.toBe(kidOf(token))
    expect(await accepted(w, fresh)).toBe(true)
    // The session and the refresh token do not depend on the key: both stay valid.
    const form = { grant_type: 'refresh_token', client_id: 'app', refresh_token: granted.refresh_token }
    expect((await tokens(w, form)).status).toBe(200)
    expect(w.events.map(({ type }) => type)).toContain('key.revoked')
  })

  it('an id_token_hint that the key has signed counts as absent', async () => {
    const w = await start(routing)
    const browser = w.browser()
    const { id_token } = (await redeem(w, (await browser.code()).code)).body
    const { keys } = await w.provider.manage(w.realm)
    await keys.revoke(kidOf(id_token))
    const asked = await browser.get(`${w.issuer}/oauth/logout?id_token_hint=${id_token}`)
    expect(await asked.text()).toContain('confirmation_token')
  })

  it('a retired key that is still published: the current key stays', async () => {
    const w = await start(routing)
    const old = await machineToken(w)
    const { keys } = await w.provider.manage(w.realm)
    const next = await keys.rotate({ publish_before: 0 })
    w.clock.now += 1
    expect(await keys.revoke(kidOf(old))).toBe(true)
    expect((await keys.list()).map(({ kid }) => kid)).toEqual([next.kid])
    expect(await accepted(w, old)).toBe(false)
    expect(kidOf(await machineToken(w))).toBe(next.kid)
  })

  it('a next key that does not sign yet is not enough: a new key is made', async () => {
    const w = await start(routing)
    const old = await machineToken(w)
    const { keys } = await w.provider.manage(w.realm)
    const next = await keys.rotate({ publish_before: 3600 })
    await keys.revoke(kidOf(old))
    const fresh = kidOf(await machineToken(w))
    expect([kidOf(old), next.kid]).not.toContain(fresh)
    expect(await keys.list()).toHaveLength(2)
  })

  it('other servers follow within 30 seconds', async () => {
    const w = await start(routing)
    const other = await world({
      routing,
      own_key: true,
      storage: w.storage,
      clients: [],
      now: () => w.clock.now,
    })
    const token = await machineToken(w)
    expect(await accepted(other, token)).toBe(true)
    await (await w.provider.manage(w.realm)).keys.revoke(kidOf(token))
    w.clock.now += 30
    expect(await accepted(other, token)).toBe(true)
    w.clock.now += 1
    expect(await accepted(other, token)).toBe(false)
  })

  it('other servers follow at once when their clock was set back', async () => {
    const w = await start(routing)
    const clock = { now: w.clock.now }
    const behind = { own_key: true, storage: w.storage, clients: [], now: () => clock.now }
    const other = await world({ routing, ...behind })
    const kid = kidOf(await machineToken(w))
    expect(await published(other)).toEqual([kid])
    await (await w.provider.manage(w.realm)).keys.revoke(kid)
    clock.now -= 3600
    expect(await published(other)).not.toContain(kid)
  })

  it('a reload of the keys that began earlier does not restore it', async () => {
    const inner = memoryStorage()
    let held: Promise<void> | null = null
    let release = () => {}
    let begun = () => {}
    const storage: Storage = (realm) => {
      const { keys, ...stores } = inner(realm)
      const list = async () => {
        const read = await keys.list()
        const wait = held
        held = null
        if (wait) begun()
        await wait
        return read
      }
      const drop = (kid: string) => keys.drop(kid).finally(release)
      return { ...stores, keys: { ...keys, list, drop } }
    }
    const w = await world({ routing, storage, clients: [await service()] })
    const token = await machineToken(w)
    w.clock.now += 31
    held = new Promise((resolve) => {
      release = resolve
    })
    // It has read the old keys, and gives them only after the key is dropped.
    const read = new Promise<void>((resolve) => {
      begun = resolve
    })
    const reading = accepted(w, token)
    await read
    await (await w.provider.manage(w.realm)).keys.revoke(kidOf(token))
    await reading
    expect(await accepted(w, token)).toBe(false)
  })

  it('of an unknown key changes nothing', async () => {
    const w = await start(routing)
    await machineToken(w)
    const { keys } = await w.provider.manage(w.realm)
    const before = await keys.list()
    expect(await keys.revoke('unknown')).toBe(false)
    expect(await keys.list()).toEqual(before)
  })

  it.each([1, 30, 59])('rotate refuses to publish only %i seconds before signing', async (publish_before) => {
    const { keys } = await (await start(routing)).provider.manage('default')
    await expect(keys.rotate({ publish_before })).rejects.toThrow('give 0, or 60 and more')
    expect((await keys.rotate({ publish_before: 60 })).signs_from).toBeGreaterThan(0)
  })

  it('a new key is published for all of publish_before, however long it takes to make it', async () => {
    let now = 1_800_000_000
    const w = await world({ routing, now: () => (now += 1) })
    const { keys } = await w.provider.manage('default')
    const { created_at, signs_from } = await keys.rotate({ publish_before: 60 })
    expect(signs_from).toBe(created_at + 60)
    const plan = await keys.rotate({ publish_before: 60, plan: true })
    expect(plan.signs_from).toBe(plan.created_at + 60)
    const [first] = await keys.list()
    expect(first?.signs_from).toBe(first?.created_at)
  })
})

describe('A token that a leaked key forges', () => {
  /** The attacker's key, which is stored as the realm's key. */
  async function leaked() {
    const w = await start('single')
    const honest = (await redeem(w, (await w.browser().code()).code)).body.access_token
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { n, e } = publicKey.export({ format: 'jwk' })
    const { keys } = w.storage('default')
    const [own] = await keys.list()
    if (!own || !n || !e) throw new Error('no key')
    await keys.add({ ...own, public_jwk: { kty: 'RSA', n, e } })
    // A provider that starts now reads the key that the attacker has.
    const other = await world({ storage: w.storage, clients: [], own_key: true, now: () => w.clock.now })
    const forge = (changes: Record<string, unknown>) => {
      const claims = { ...payload(honest), jti: 'made-up', ...changes }
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const input = `${part({ alg: 'RS256', typ: 'at+jwt', kid: own.kid })}.${part(claims)}`
      return `${input}.${rsaSign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
    }
    return { w: other, storage: w.storage, forge, honest: payload(honest) }
  }

  it('is accepted only if it names an existing grant, user and client', async () => {
    const { w, forge, honest } = await leaked()
    // The base of the comparison: the same token with the jti of a live grant.
    expect(await accepted(w, forge({ jti: honest.jti }))).toBe(true)
    expect(await accepted(w, forge({ jti: 'unknown-grant.random' }))).toBe(false)
    expect(await accepted(w, forge({ jti: honest.jti, client_id: 'service' }))).toBe(false)
    expect(await accepted(w, forge({ jti: honest.jti, sub: 'bob' }))).toBe(false)
    expect(await accepted(w, forge({}))).toBe(false)
    expect(await accepted(w, forge({ act: { sub: 'app' } }))).toBe(false)
    expect(await accepted(w, forge({ sub: 'service', client_id: 'service' }))).toBe(true)
    expect(await accepted(w, forge({ sub: 'unknown', client_id: 'unknown' }))).toBe(false)
    const [grant_id] = String(honest.jti).split('.')
    const exchanged = { jti: `${grant_id}.x.random`, act: { sub: 'app' } }
    expect(await accepted(w, forge(exchanged))).toBe(true)
    expect(await accepted(w, forge({ ...exchanged, jti: 'unknown-grant.x.random' }))).toBe(false)
    expect(await accepted(w, forge({ ...exchanged, client_id: 'unknown' }))).toBe(false)
    expect(await accepted(w, forge({ ...exchanged, sub: 'unknown' }))).toBe(false)
    expect(await accepted(w, forge({ ...exchanged, sub: 'bob' }))).toBe(false)
    // The text of a grant, but not in the form of a jti.
    for (const jti of [`${grant_id}.y.random`, `${grant_id}.x.x.random`, `.x.${grant_id}`, `.${grant_id}`])
      expect(await accepted(w, forge({ ...exchanged, jti }))).toBe(false)
  })

  it('of a revoked client is refused, even for a user, if it is an exchanged one', async () => {
    const { w, storage, forge, honest } = await leaked()
    await storage('default').clients.revoke('app', 1)
    w.clock.now += 5
    const [grant_id] = String(honest.jti).split('.')
    expect(await accepted(w, forge({ jti: honest.jti }))).toBe(true)
    expect(await accepted(w, forge({ jti: `${grant_id}.x.random`, act: { sub: 'app' } }))).toBe(false)
  })
})
