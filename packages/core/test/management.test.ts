/** Consent withdrawal, ended sessions, and key rotation without downtime. */

import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { answer, bearer, header, redeem, tokens, type World, world } from './support.js'

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  describe('consents.revoke', () => {
    const API = { api: { scopes: ['read'] }, files: { scopes: ['read'] } }

    async function consentedTwice() {
      const w = await world({ routing, oidc: { resources: API } })
      const browser = w.browser()
      await browser.code({ resource: `${w.issuer}/api`, scope: 'read' })
      await browser.code({ resource: `${w.issuer}/files`, scope: 'read' })
      const { consents } = await w.provider.manage(w.realm)
      const asks = async (key: string) => {
        const response = await browser.authorize({ resource: `${w.issuer}/${key}`, scope: 'read' })
        return response.status === 200
      }
      return { w, consents, asks }
    }

    it('for one resource: the view returns there, and there alone', async () => {
      const { w, consents, asks } = await consentedTwice()
      expect(await consents.revoke({ sub: 'alice', client_id: 'app', resource: `${w.issuer}/api` })).toBe(1)
      expect([await asks('api'), await asks('files')]).toEqual([true, false])
      expect(w.events.at(-1)?.type).not.toBe('consent.revoked')
      expect(w.events).toContainEqual(
        expect.objectContaining({ type: 'consent.revoked', resource: `${w.issuer}/api` }),
      )
    })

    it('for all resources of a client', async () => {
      const { consents, asks } = await consentedTwice()
      expect(await consents.revoke({ sub: 'alice', client_id: 'app' })).toBe(2)
      expect([await asks('api'), await asks('files')]).toEqual([true, true])
      expect(await consents.revoke({ sub: 'alice', client_id: 'app' })).toBe(0)
    })

    it('is listed for the user, with the time of the withdrawal', async () => {
      const { w, consents } = await consentedTwice()
      w.clock.now += 5
      await consents.revoke({ sub: 'alice', client_id: 'app', resource: `${w.issuer}/api` })
      const rows = (await consents.list('alice')).map(({ resource, scopes, revoked_at }) => ({
        resource,
        scopes,
        revoked_at,
      }))
      expect(rows.sort((a, b) => a.resource.localeCompare(b.resource))).toEqual([
        { resource: `${w.issuer}/api`, scopes: ['read'], revoked_at: w.clock.now },
        { resource: `${w.issuer}/files`, scopes: ['read'], revoked_at: null },
      ])
    })

    it('revokes the grants that the client has from the user', async () => {
      const w = await world({ routing })
      const granted = await redeem(w, (await w.browser().code()).code)
      await (await w.provider.manage(w.realm)).consents.revoke({ sub: 'alice', client_id: 'app' })
      const userinfo = new Request(`${w.issuer}/oauth/userinfo`, {
        headers: bearer(granted.body.access_token),
      })
      expect((await w.provider.fetch(userinfo)).status).toBe(401)
      expect(w.events.at(-2)).toMatchObject({
        type: 'grant.revoked',
        sub: 'alice',
        client_id: 'app',
        grants: 1,
      })
    })
  })

  it('sessions.end signs the user out and revokes the session’s tokens', async () => {
    const w = await world({ routing })
    const browser = w.browser()
    const granted = await redeem(w, (await browser.code()).code)
    const { sessions } = await w.provider.manage(w.realm)
    const [session] = await sessions.list('alice')
    expect(await sessions.end(session?.sid ?? '')).toEqual({ grants: 1 })
    expect(await sessions.end(session?.sid ?? '')).toBeNull()
    expect(answer(await browser.authorize({ prompt: 'none' })).error).toBe('login_required')
    const { refresh_token } = granted.body
    const refreshed = await tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token })
    expect(refreshed.body.error).toBe('invalid_grant')
  })

  describe('keys.rotate: publish, then sign, then retire', () => {
    const jwks = async (w: World) => {
      const response = await w.provider.fetch(new Request(`${w.issuer}/.well-known/jwks.json`))
      return (await response.json()) as { keys: { kid: string }[] }
    }
    const kids = async (w: World) => (await jwks(w)).keys.map(({ kid }) => kid)
    const signedBy = async (w: World) => {
      const granted = await redeem(w, (await w.browser().code()).code)
      return { kid: header(granted.body.access_token).kid, token: granted.body.access_token }
    }

    it('a new key is published at once, signs after publish_before, and the old one stays until its tokens have expired', async () => {
      const w = await world({ routing })
      const old = await signedBy(w)
      const { keys } = await w.provider.manage(w.realm)
      const rotated = await keys.rotate()
      expect(rotated.signs_from).toBe(w.clock.now + 3600)
      expect(await kids(w)).toEqual([old.kid, rotated.kid])
      expect((await signedBy(w)).kid).toBe(old.kid)

      w.clock.now += 3600
      const last = await jwtVerify((await signedBy(w)).token, createLocalJWKSet((await jwks(w)) as never), {
        currentDate: new Date(w.clock.now * 1000),
      })
      expect(last.protectedHeader.kid).toBe(rotated.kid)
      // Tokens are valid for an hour at most (client_credentials, ID tokens).
      w.clock.now += 3599
      await w.provider.tick()
      expect(await kids(w)).toEqual([old.kid, rotated.kid])
      w.clock.now += 32
      expect((await w.provider.tick()).keys_retired).toBe(1)
      expect(await kids(w)).toEqual([rotated.kid])
      expect(await keys.list()).toEqual([rotated])
    })

    it('another server sees the new key without a restart, and verifies its tokens', async () => {
      const one = await world({ routing })
      const two = await world({ routing, storage: one.storage, clients: [] })
      const before = await kids(two)
      const { keys } = await one.provider.manage(one.realm)
      const rotated = await keys.rotate({ publish_before: 0 })
      one.clock.now += 1
      two.clock.now += 1
      const { token, kid } = await signedBy(one)
      expect(kid).toBe(rotated.kid)
      const userinfo = new Request(`${two.issuer}/oauth/userinfo`, { headers: bearer(token) })
      expect((await two.provider.fetch(userinfo)).status).toBe(200)
      expect(await kids(two)).toEqual([...before, rotated.kid])
    })

    it('a fresh realm makes its first key by itself, once, however many servers start', async () => {
      const one = await world({ routing })
      const servers = await Promise.all(
        Array.from({ length: 4 }, () => world({ routing, storage: one.storage, clients: [] })),
      )
      const all = await Promise.all([one, ...servers].map(kids))
      expect(new Set(all.flat()).size).toBe(1)
    })

    it('private keys are stored sealed, and do not open with another secret', async () => {
      const w = await world({ routing })
      await kids(w)
      const [key] = await w.storage(w.realm).keys.list()
      expect(JSON.stringify(key)).not.toMatch(/"(?:d|p|q|dp|dq|qi)"/)
      const other = await world({
        routing,
        storage: w.storage,
        clients: [],
        secret: 'another-secret-of-the-same-realms-storage',
      })
      expect((await other.provider.fetch(new Request(`${w.issuer}/.well-known/jwks.json`))).status).toBe(500)
      const failure = other.events.find((event) => event.type === 'server.error')
      expect(String(failure?.type === 'server.error' && failure.cause)).toContain(
        'encrypted with another secret than OIDC_SECRET',
      )
    })
  })
})
