/** Sessions, grants, consents and keys: what is shown, what ends, and whose they are. */

import { beforeEach, describe, expect, it } from 'vitest'
import { adminPlace, type Place } from './_place.ts'

const EVE = '/realms/acme/users/eve'
let place: Place
let token: string

beforeEach(async () => {
  place = await adminPlace()
  await place.give('sub:ann', 'owner', '*')
  token = (await place.signIn('ann')).access_token
  // A session and a grant.
  await place.signIn('eve', { scope: 'offline_access' })
})

const send = (line: string, body?: unknown) =>
  place.call(token, line, { ...(body !== undefined && { body }) })
const problem = (code: string, status: number) => ({ status, body: { type: `urn:ostiary:problem:${code}` } })

describe('what a user has', () => {
  it('is shown without what is secret', async () => {
    const { body: sessions } = await send(`GET ${EVE}/sessions`)
    expect(sessions.items).toMatchObject([{ sid: expect.any(String), sub: 'eve', client_ids: ['ops'] }])
    expect(JSON.stringify(sessions)).not.toContain('hash')
    const { body: grants } = await send(`GET ${EVE}/grants`)
    expect(grants.items).toMatchObject([{ client_id: 'ops', offline: true }])
    expect(await send(`GET ${EVE}/consents`)).toMatchObject({ status: 200, body: { items: [] } })
    for (const kind of ['sessions', 'grants', 'consents'])
      expect(await send(`GET /realms/acme/users/nobody/${kind}`)).toMatchObject(problem('not_found', 404))
  })

  it('ends: one session, all of them, and grants, with rows', async () => {
    const { body } = await send(`GET ${EVE}/sessions`)
    const [{ sid }] = body.items
    // Of another user, it is not there.
    expect(await send(`DELETE /realms/acme/users/ann/sessions/${sid}`)).toMatchObject(
      problem('not_found', 404),
    )
    expect(await send(`DELETE ${EVE}/sessions/${sid}`)).toMatchObject({ status: 200, body: { sids: [sid] } })
    expect(await send(`DELETE ${EVE}/sessions/${sid}`)).toMatchObject(problem('not_found', 404))
    expect((await send(`GET ${EVE}/grants`)).body.items).toHaveLength(1)
    expect(await send(`DELETE ${EVE}/grants?client_id=other`)).toMatchObject({ body: { revoked: 0 } })
    expect(await send(`DELETE ${EVE}/grants?client_id=ops`)).toMatchObject({ body: { revoked: 1 } })
    await place.signIn('eve')
    expect(await send(`DELETE ${EVE}/sessions`)).toMatchObject({
      body: { sids: [expect.any(String)], grants: 1 },
    })
    const rows = (await place.changes()).map(({ type, outcome, actor }) => `${type} ${outcome} ${actor}`)
    expect(rows).toEqual([
      'session.end done sub:ann',
      'grant.revoke done sub:ann',
      'grant.revoke done sub:ann',
      'session.end_all done sub:ann',
    ])
  })

  it('a consent is withdrawn, with the grants that it covers', async () => {
    const approved = [{ resource: place.w.issuer, scopes: ['openid'] }]
    await place.w
      .storage('acme')
      .consents.merge({ sub: 'eve', client_id: 'ops', approved }, place.w.clock.now)
    expect((await send(`GET ${EVE}/consents`)).body.items).toMatchObject([
      { client_id: 'ops', revoked_at: null },
    ])
    expect(await send(`DELETE ${EVE}/consents/ops`)).toMatchObject({ status: 200, body: { revoked: 1 } })
    expect((await send(`GET ${EVE}/consents`)).body.items).toMatchObject([{ revoked_at: expect.any(Number) }])
    expect((await send(`GET ${EVE}/grants`)).body.items).toEqual([])
  })

  it('a supporter ends nothing of an owner', async () => {
    await place.give('sub:sue', 'support', '*')
    token = (await place.signIn('sue')).access_token
    const ann = '/realms/acme/users/ann'
    const [session] = (await send(`GET ${ann}/sessions`)).body.items
    for (const path of ['sessions', `sessions/${session.sid}`, 'grants', 'consents/ops'])
      expect(await send(`DELETE ${ann}/${path}`), path).toMatchObject(problem('forbidden', 403))
    expect((await send(`GET ${ann}/sessions`)).body.items).toHaveLength(1)
    expect(await send(`DELETE ${EVE}/sessions`)).toMatchObject({ status: 200 })
  })
})

describe('keys', () => {
  it('are listed without their private part, rotated and revoked', async () => {
    const first = await send('GET /realms/acme/keys')
    expect(first.body.items).toHaveLength(1)
    expect(Object.keys(first.body.items[0]).sort()).toEqual(['alg', 'created_at', 'kid', 'signs_from'])
    const made = await send('POST /realms/acme/keys', {})
    expect(made).toMatchObject({ status: 201, body: { alg: 'RS256' } })
    expect(await send(`DELETE /realms/acme/keys/${made.body.kid}`)).toMatchObject({
      status: 200,
      body: first.body,
    })
    expect(await send(`DELETE /realms/acme/keys/${made.body.kid}`)).toMatchObject(problem('not_found', 404))
    expect(await send('POST /realms/acme/keys', { alg: 'ES256' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/alg' }] },
    })
    expect(await send('POST /realms/acme/keys', { publish_before: 1 })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/publish_before' }] },
    })
    const rows = (await place.changes()).map(({ type, outcome }) => `${type} ${outcome}`)
    expect(rows.filter((row) => row.endsWith('done'))).toEqual(['key.rotate done', 'key.revoke done'])
  })

  it('need a sign-in of the last five minutes, to be listed too', async () => {
    place.w.clock.now += 301
    expect((await send('GET /realms/acme/keys')).status).toBe(401)
    expect((await send('GET /realms/acme/clients')).status).toBe(200)
  })
})
