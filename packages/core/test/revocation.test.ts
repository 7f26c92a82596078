/** `POST /oauth/revoke`: RFC 7009. */

import { describe, expect, it } from 'vitest'
import {
  bearer,
  CLIENT_SECRET,
  client,
  redeem,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const secret = { client_secret: CLIENT_SECRET }
const start = async (options: WorldOptions = {}) =>
  world({
    clients: [
      await client(),
      await client({ client_id: 'thief' }),
      await client({ ...secret, client_id: 'service', grant_types: ['client_credentials'] }),
    ],
    ...options,
  })

const revoke = (w: World, token: string, form: Record<string, string> = {}) =>
  w.post('/oauth/revoke', { client_id: 'app', token, ...form })
const granted = async (w: World, changes = {}) =>
  (await redeem(w, (await w.browser().code(changes)).code)).body
const refresh = (w: World, refresh_token: string) =>
  tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token })
const machine = async (w: World) =>
  (await tokens(w, { grant_type: 'client_credentials', client_id: 'service', ...secret })).body.access_token

async function accepted(w: World, token: string): Promise<boolean> {
  const request = new Request('https://api.example.com/', { headers: bearer(token) })
  return !((await w.provider.guard({ realm: w.realm }).authenticate(request)) instanceof Response)
}

describe.each(['single', 'path'] as const)('Revocation (realms by %s)', (routing) => {
  it.each(['access_token', 'refresh_token'] as const)(
    'revoking either token of a pair revokes both: the %s',
    async (name) => {
      const w = await start({ routing })
      const pair = await granted(w)
      expect(await accepted(w, pair.access_token)).toBe(true)
      const response = await revoke(w, pair[name])
      expect([response.status, await response.text()]).toEqual([200, ''])
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await accepted(w, pair.access_token)).toBe(false)
      expect((await refresh(w, pair.refresh_token)).body.error).toBe('invalid_grant')
    },
  )

  it('revokes every token of the authorization, also after refreshes', async () => {
    const w = await start({ routing })
    const first = await granted(w)
    const second = (await refresh(w, first.refresh_token)).body
    await revoke(w, first.access_token)
    expect(await accepted(w, second.access_token)).toBe(false)
    expect((await refresh(w, second.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('a spent refresh token still revokes its grant', async () => {
    const w = await start({ routing })
    const first = await granted(w)
    const second = (await refresh(w, first.refresh_token)).body
    await revoke(w, first.refresh_token)
    expect(await accepted(w, second.access_token)).toBe(false)
  })

  it('another authorization of the same user and client is not touched', async () => {
    const w = await start({ routing })
    const first = await granted(w)
    const second = await granted(w)
    await revoke(w, first.refresh_token)
    expect(await accepted(w, second.access_token)).toBe(true)
    expect((await refresh(w, second.refresh_token)).status).toBe(200)
  })

  it('the consent is unchanged: it is independent of the tokens it led to', async () => {
    const w = await start({ routing })
    const browser = w.browser()
    const { body } = await redeem(w, (await browser.code()).code)
    await revoke(w, body.access_token)
    expect((await browser.authorize()).headers.get('location')).toContain('code=')
    expect(w.consents).toHaveLength(1)
  })

  it('a token without a grant is revoked alone', async () => {
    const w = await start({ routing })
    const revoked = await machine(w)
    const kept = await machine(w)
    await revoke(w, revoked, { client_id: 'service', ...secret })
    expect([await accepted(w, revoked), await accepted(w, kept)]).toEqual([false, true])
  })

  it('an unknown token is ignored with 200', async () => {
    const w = await start({ routing })
    const answers = await Promise.all(
      ['unknown', 'a.b.c', '__proto__', '\u{1f511}'].map((token) => revoke(w, token)),
    )
    for (const response of answers) expect([response.status, await response.text()]).toEqual([200, ''])
  })

  it('a token of another client is ignored with 200, so existence is never confirmed', async () => {
    const w = await start({ routing })
    const pair = await granted(w)
    const userless = await machine(w)
    const unknown = await revoke(w, 'unknown', { client_id: 'thief' })
    for (const token of [pair.access_token, pair.refresh_token, userless]) {
      const response = await revoke(w, token, { client_id: 'thief' })
      expect([response.status, await response.text()]).toEqual([200, ''])
      expect([...response.headers]).toEqual([...unknown.headers])
    }
    expect(w.events.filter(({ type }) => type === 'token.revoked')).toEqual([])
    expect([await accepted(w, pair.access_token), await accepted(w, userless)]).toEqual([true, true])
    expect((await refresh(w, pair.refresh_token)).status).toBe(200)
  })

  it('is repeatable', async () => {
    const w = await start({ routing })
    const { access_token } = await granted(w)
    for (let i = 0; i < 2; i++) expect((await revoke(w, access_token)).status).toBe(200)
  })

  it('is open to public clients, and to confidential ones by their method', async () => {
    const w = await start({ routing })
    expect((await revoke(w, 'any')).status).toBe(200)
    expect((await revoke(w, 'any', { client_id: 'service', ...secret })).status).toBe(200)
    expect((await revoke(w, 'any', { client_id: 'service' })).status).toBe(401)
  })

  it.each([
    ['missing', {}],
    ['empty', { token: '' }],
  ])('a %s token gives 400 invalid_request, after client authentication', async (_, form) => {
    const w = await start({ routing })
    const known = await w.post('/oauth/revoke', { client_id: 'app', ...form })
    expect([known.status, (await known.json()).error]).toEqual([400, 'invalid_request'])
    const unknown = await w.post('/oauth/revoke', { client_id: 'nobody', ...form })
    expect([unknown.status, (await unknown.json()).error]).toEqual([401, 'invalid_client'])
  })

  it.each(['access_token', 'refresh_token', 'id_token', 'constructor'])(
    'token_type_hint %s only orders the lookup: either token is found',
    async (token_type_hint) => {
      for (const name of ['access_token', 'refresh_token'] as const) {
        const w = await start({ routing })
        const pair = await granted(w)
        await revoke(w, pair[name], { token_type_hint })
        expect(await accepted(w, pair.access_token)).toBe(false)
      }
    },
  )

  it('a token in the query is not read; GET is 405', async () => {
    const w = await start({ routing })
    const { access_token } = await granted(w)
    const inQuery = await w.post(`/oauth/revoke?token=${access_token}`, { client_id: 'app' })
    expect(inQuery.status).toBe(400)
    const read = await w.provider.fetch(
      new Request(`${w.issuer}/oauth/revoke?token=${access_token}&client_id=app`),
    )
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await accepted(w, access_token)).toBe(true)
  })

  it('50 parallel refreshes and one revocation: no token of the grant stays valid', async () => {
    const w = await start({ routing, oidc: { tokens: { refresh_token_grace: 30 } } })
    const pair = await granted(w)
    const refreshes = Array.from({ length: 50 }, () => refresh(w, pair.refresh_token))
    const [, ...answers] = await Promise.all([revoke(w, pair.access_token), ...refreshes])
    for (const { body, status } of answers)
      if (status === 200) expect(await accepted(w, body.access_token)).toBe(false)
    expect((await refresh(w, pair.refresh_token)).body.error).toBe('invalid_grant')
  })
})
