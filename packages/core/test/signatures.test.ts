/** How many signatures each request makes, since they are the main cost of a token, and with which signer. */

import { createPrivateKey, createSign } from 'node:crypto'
import type { Signer } from '@ostiary/core'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { CLIENT_SECRET, client, redeem, tokens, type WorldOptions, world } from './support.js'

/** The runtime's own signer, with a counter. */
function counted() {
  const made = { signatures: 0 }
  const signer: Signer = (pkcs8) => {
    const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
    return (input) => {
      made.signatures += 1
      return createSign('sha256').update(input).sign(key, 'base64url')
    }
  }
  return { made, signer }
}

async function start(options: WorldOptions = {}) {
  const { made, signer } = counted()
  const service = { client_id: 'service', client_secret: CLIENT_SECRET, grant_types: ['client_credentials'] }
  const w = await world({
    clients: [await client({ trusted: true }), await client(service)],
    signer,
    ...options,
  })
  const signatures = async <T>(step: () => Promise<T>) => {
    const before = made.signatures
    const result = await step()
    return { result, count: made.signatures - before }
  }
  return { w, signatures }
}

describe('Signatures', () => {
  it('client_credentials makes one; a code makes two; a refresh makes two with openid and one without', async () => {
    const { w, signatures } = await start()
    const form = { grant_type: 'client_credentials', client_id: 'service', client_secret: CLIENT_SECRET }
    expect((await signatures(() => tokens(w, form))).count).toBe(1)
    const authorized = await signatures(() => w.browser().code())
    expect(authorized.count).toBe(0)
    const redeemed = await signatures(() => redeem(w, authorized.result.code))
    expect(redeemed.count).toBe(2)
    const { refresh_token } = redeemed.result.body
    const refresh = { grant_type: 'refresh_token', client_id: 'app', refresh_token }
    const refreshed = await signatures(() => tokens(w, refresh))
    expect(refreshed.count).toBe(2)
    const { refresh_token: next } = refreshed.result.body
    const narrowed = await signatures(() => tokens(w, { ...refresh, refresh_token: next, scope: 'email' }))
    expect([narrowed.result.status, narrowed.count]).toEqual([200, 1])
  })

  it('introspection, revocation and UserInfo make none', async () => {
    const { w, signatures } = await start()
    const { body } = await redeem(w, (await w.browser().code()).code)
    const headers = { authorization: `Bearer ${body.access_token}` }
    const service = { client_id: 'service', client_secret: CLIENT_SECRET, token: body.access_token }
    const { count } = await signatures(async () => {
      await w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers }))
      await w.post('/oauth/introspect', service)
      await w.post('/oauth/revoke', { client_id: 'app', token: body.refresh_token })
    })
    expect(count).toBe(0)
  })

  it('a signer that the application supplies signs with the published key', async () => {
    const { w } = await start()
    const { body } = await redeem(w, (await w.browser().code()).code)
    const jwks = await (await w.provider.fetch(new Request(`${w.issuer}/.well-known/jwks.json`))).json()
    for (const token of [body.access_token, body.id_token])
      await jwtVerify(token, createLocalJWKSet(jwks), { currentDate: new Date(w.clock.now * 1000) })
  })
})
