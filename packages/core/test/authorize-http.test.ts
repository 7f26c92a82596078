/** Authorization and consent at the level of HTTP: methods, addresses, sizes and content types. */

import { describe, expect, it } from 'vitest'
import { answer, authorizeUrl, client, formRequest, type World, world } from './support.js'

const form = (w: World, changes?: Record<string, string | null>) =>
  authorizeUrl(w.issuer, changes).split('?')[1] ?? ''

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  it.each([
    ['/oauth/authorize', ['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'], 'GET, POST'],
    ['/oauth/authorize/consent', ['GET', 'PUT', 'HEAD', 'OPTIONS'], 'POST, DELETE'],
    ['/oauth/authorize/resume', ['POST', 'DELETE'], 'GET'],
  ])('%s: the wrong methods %j are 405 with Allow', async (path, methods, allow) => {
    const w = await world({ routing })
    for (const method of methods) {
      const response = await w.provider.fetch(new Request(w.issuer + path, { method }))
      expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
    }
  })

  it.each([
    '/',
    '/oauth',
    '/oauth/authorize/',
    '/oauth/Authorize',
    '/oauth/authorize/more',
    '/oauth//authorize',
    '/oauth/authorize%2f',
    '/oauth/authorize/consent/more',
  ])('the unknown path %s is 404 JSON', async (path) => {
    const w = await world({ routing })
    for (const method of ['GET', 'POST']) {
      const response = await w.provider.fetch(new Request(w.issuer + path, { method }))
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json'])
      expect(await response.json()).toEqual({ error: 'not_found', error_description: expect.any(String) })
    }
  })

  it('no page of another origin may read the answers of authorize, resume and consent', async () => {
    const w = await world({ routing })
    const headers = { origin: 'https://client.example.com' }
    const { issuer, provider } = w
    const answers = [
      await provider.fetch(new Request(authorizeUrl(issuer), { headers })),
      await provider.fetch(new Request(`${issuer}/oauth/authorize/resume`, { headers })),
      await provider.fetch(formRequest(`${issuer}/oauth/authorize/consent`, {}, { headers })),
    ]
    for (const response of answers) expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it.each([
    ['JSON', 'application/json', '{"client_id":"app"}'],
    ['text', 'text/plain', 'client_id=app'],
    ['multipart', 'multipart/form-data; boundary=x', '--x--'],
    ['no type at all', '', 'client_id=app'],
  ])('a POST of %s is invalid_request', async (_, type, body) => {
    const w = await world({ routing })
    for (const path of ['/oauth/authorize', '/oauth/authorize/consent']) {
      const response = await w.post(path, body, { 'content-type': type })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    }
  })

  it.each(['application/x-www-form-urlencoded; charset=UTF-8', 'Application/X-WWW-Form-URLEncoded'])(
    'a form may be called %s',
    async (type) => {
      const w = await world({ routing })
      const response = await w.post('/oauth/authorize', form(w), { 'content-type': type })
      expect(answer(response)).toMatchObject({ status: 303, to: `${w.issuer}/oauth/authorize/resume` })
    },
  )

  it('a form that is not UTF-8 is invalid_request', async () => {
    const w = await world({ routing })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = new Uint8Array([0x61, 0x3d, 0xff])
    const response = await w.provider.fetch(
      new Request(`${w.issuer}/oauth/authorize`, { method: 'POST', headers, body }),
    )
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request'])
  })

  it('a query over 64 KiB is 414, one that fits is answered', async () => {
    const w = await world({ routing, clients: [await client({ trusted: true })] })
    const rest = new URL(authorizeUrl(w.issuer, { unknown: '' })).search.length
    const fits = { unknown: 's'.repeat(64 * 1024 - rest) }
    expect(answer(await w.browser().authorize(fits)).to).toBe(`${w.issuer}/login`)
    const response = await w.browser().authorize({ unknown: `${fits.unknown}s` })
    expect([response.status, response.headers.get('location')]).toEqual([414, null])
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('a form over 64 KiB is 413, one that fits is answered', async () => {
    const w = await world({ routing })
    const rest = form(w, { unknown: '' }).length
    const fits = form(w, { unknown: 's'.repeat(64 * 1024 - rest) })
    expect((await w.post('/oauth/authorize', fits)).status).toBe(303)
    for (const path of ['/oauth/authorize', '/oauth/authorize/consent']) {
      const response = await w.post(path, `${fits}s`)
      expect([response.status, response.headers.get('location')]).toEqual([413, null])
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    }
  })

  it('a form that says that it is larger is not read at all', async () => {
    const w = await world({ routing })
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('read')) })
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '65537' }
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
    const response = await w.provider.fetch(new Request(`${w.issuer}/oauth/authorize`, init))
    expect(response.status).toBe(413)
  })

  it('a form that does not say its length is read up to the limit only', async () => {
    const w = await world({ routing })
    const chunk = new TextEncoder().encode('x'.repeat(16_384))
    let chunks = 0
    // Ten times the limit, so that the test ends even if all of it is read.
    const body = new ReadableStream({
      pull(controller) {
        chunks += 1
        controller.enqueue(chunk)
        if (chunks === 40) controller.close()
      },
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
    const response = await w.provider.fetch(new Request(`${w.issuer}/oauth/authorize`, init))
    expect(response.status).toBe(413)
    expect(chunks).toBeLessThan(10)
  })

  it('a body that ends early is invalid_request, not server_error', async () => {
    const w = await world({ routing })
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
    const response = await w.provider.fetch(new Request(`${w.issuer}/oauth/authorize`, init))
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request'])
  })
})
