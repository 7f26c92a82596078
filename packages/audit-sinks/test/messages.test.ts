/** What a receiver gets, and how it checks it: by the npm packages standardwebhooks and jose. */

import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { NOW, REALM, receiver, SECRET, sinkPlace, webhook } from './_place.ts'

const OTHER = `whsec_${Buffer.from('another secret, as long as that').toString('base64')}`
const CHANGED = {
  type: 'client.update',
  client_id: 'notes',
  actor: 'cli:ann@host',
  flow: 'a-flow',
  refs: ['7F3A-2C1D'],
  data: { request_id: 'request-1', fields: ['client_name', 'client_secret_hash'] },
  private: { address: '192.0.2.0/24', before: { client_name: 'Notes' }, after: { client_name: '<script>' } },
}

const verified = (body: string, headers: Record<string, string>, secret = SECRET) =>
  new Webhook(secret).verify(body, headers)

describe('a webhook', () => {
  it('is verified by the receiver, and has the columns of the row, without the values of changed members', async () => {
    const now = Math.floor(Date.now() / 1000)
    const place = sinkPlace({ now: () => now })
    const to = await receiver()
    const server = await place.server([webhook(to.url)])
    const [id] = await place.sealed(CHANGED)
    await server.deliver()
    const [{ headers, body }] = to.received as [(typeof to.received)[0]]
    const message = { type: 'client.update', timestamp: new Date(NOW * 1000).toISOString() }
    expect(verified(body, headers)).toEqual({
      ...message,
      data: {
        realm: REALM,
        audit_id: id,
        outcome: 'done',
        actor: 'cli:ann@host',
        sub: 'ann-1',
        client_id: 'notes',
        flow: 'a-flow',
        refs: ['7F3A-2C1D'],
        count: 1,
        seal: 1,
        place: 1,
        address: '192.0.2.0/24',
        data: { request_id: 'request-1', fields: ['client_name', 'client_secret_hash'] },
      },
    })
    expect(headers).toMatchObject({ 'webhook-id': id, 'content-type': 'application/json' })
    expect(() => verified(body, headers, OTHER)).toThrow(WebhookVerificationError)
    expect(() => verified(`${body} `, headers)).toThrow(WebhookVerificationError)
    expect(() => verified(body, { ...headers, 'webhook-id': 'another' })).toThrow(WebhookVerificationError)
  })

  it('has a signature of each of two secrets, while the secret is being changed', async () => {
    const now = Math.floor(Date.now() / 1000)
    const place = sinkPlace({ now: () => now })
    const to = await receiver()
    const server = await place.server([webhook(to.url, { secret: `${SECRET} ${OTHER}` })])
    await place.sealed({})
    await server.deliver()
    for (const secret of [SECRET, OTHER])
      for (const { body, headers } of to.received)
        expect(verified(body, headers, secret)).toMatchObject({ type: 'consent.denied' })
    expect(to.received).toHaveLength(1)
  })

  it('has the same id and another time when it is sent again', async () => {
    const place = sinkPlace()
    const to = await receiver()
    const server = await place.server([webhook(to.url)])
    const [id] = await place.sealed({})
    to.status(500)
    await server.deliver()
    place.at(10)
    await server.deliver()
    expect(to.received.map(({ headers }) => [headers['webhook-id'], headers['webhook-timestamp']])).toEqual([
      [id, String(NOW)],
      [id, String(NOW + 10)],
    ])
  })

  it('has no address after it was erased', async () => {
    const place = sinkPlace()
    const to = await receiver()
    const server = await place.server([webhook(to.url)])
    await place.sealed(CHANGED)
    await place.store.erase(REALM, 'ann-1')
    await server.deliver()
    expect(JSON.parse(to.received[0]?.body ?? '{}').data).not.toHaveProperty('address')
  })
})

describe('a Security Event Token', () => {
  const sent = async () => {
    const place = sinkPlace()
    const to = await receiver()
    const server = await place.server([{ url: to.url, format: 'set', allow_private: true }])
    const [id] = await place.sealed(CHANGED, { type: 'key.rotate' })
    await server.deliver()
    return { place, to, id }
  }

  it('is verified with the JWKS alone', async () => {
    const { place, to, id } = await sent()
    const [{ headers, body }] = to.received as [(typeof to.received)[0]]
    const jwks = createLocalJWKSet(await place.jwks())
    const { payload } = await jwtVerify(body, jwks, {
      typ: 'secevent+jwt',
      issuer: 'https://id.example.com',
      audience: to.url,
      currentDate: new Date(NOW * 1000),
    })
    expect(payload).toEqual({
      iss: 'https://id.example.com',
      iat: NOW,
      jti: id,
      aud: to.url,
      toe: NOW,
      txn: 'request-1',
      events: {
        'urn:ostiary:audit:client.update': expect.objectContaining({ audit_id: id, client_id: 'notes' }),
      },
    })
    expect(headers).toMatchObject({ 'content-type': 'application/secevent+jwt', accept: 'application/json' })
    expect(JSON.stringify(payload)).not.toContain('<script>')
    expect(decodeProtectedHeader(to.received[1]?.body ?? '')).toMatchObject({
      typ: 'secevent+jwt',
      alg: 'ES256',
    })
  })

  it('is no access token', async () => {
    const { place, to } = await sent()
    const token = to.received[0]?.body ?? ''
    const headers = { authorization: `Bearer ${token}` }
    const info = await place.provider.fetch(new Request('https://id.example.com/oauth/userinfo', { headers }))
    expect(info.status).toBe(401)
  })

  it('is signed by the key of the moment when it is sent', async () => {
    const place = sinkPlace()
    const to = await receiver()
    const server = await place.server([{ url: to.url, format: 'set', allow_private: true }])
    await place.sealed({})
    to.status(503)
    await server.deliver()
    const { kid } = await (await place.keysOf()).rotate({ publish_before: 0 })
    place.at(10)
    await server.deliver()
    const kids = to.received.map(({ body }) => decodeProtectedHeader(body).kid)
    expect(kids).toEqual([expect.not.stringMatching(kid), kid])
  })

  it.each([
    [202, '', 'delivered'],
    [200, '', 'status_200'],
    [204, '', 'status_204'],
    [302, '', 'status_302'],
    [400, '{"err":"invalid_key","description":"unknown"}', 'err_invalid_key'],
    [400, '{"err":"access_denied"}', 'err_access_denied'],
    [400, '{"err":"a text of the receiver"}', 'status_400'],
    [400, 'no JSON', 'status_400'],
    [401, '{"err":"invalid_request"}', 'status_401'],
  ])('the answer %i %s is %s', async (status, text, expected) => {
    const place = sinkPlace()
    const to = await receiver()
    to.state.answer = (_, response) => void response.writeHead(status, { location: '/other' }).end(text)
    const server = await place.server([{ url: to.url, format: 'set', allow_private: true }])
    await place.sealed({})
    await server.deliver()
    const reasons = place.events.map((event) => [event.type, event.reason])
    expect(reasons).toEqual(expected === 'delivered' ? [] : [['audit.sink_failed', expected]])
    expect(to.received.map(({ path }) => path)).toEqual(['/ostiary'])
  })

  it('is given up at once when the receiver says that it is malformed, and the next one is sent', async () => {
    const place = sinkPlace()
    const to = await receiver()
    const server = await place.server([{ url: to.url, format: 'set', allow_private: true }])
    await place.sealed({}, { type: 'key.rotate' })
    to.state.answer = (_, response) =>
      void (to.received.length === 1
        ? response.writeHead(400).end('{"err":"invalid_request"}')
        : response.writeHead(202).end())
    await server.deliver()
    expect(to.received).toHaveLength(2)
    expect(place.events).toMatchObject([
      { type: 'audit.sink_dropped', count: 1, reason: 'err_invalid_request' },
    ])
  })
})
