/** `POST /oauth/register`: which redirect URIs are accepted, the limits, and that it is off by default. */

import type { OidcConfig } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { client, type World, type WorldOptions, world } from './support.js'

type Registration = NonNullable<NonNullable<OidcConfig['clients']>['registration']>
const start = ({ oidc, ...options }: WorldOptions = {}, registration: Registration = {}) =>
  world({ ...options, oidc: { ...oidc, clients: { registration: { enabled: true, ...registration } } } })

async function register(w: World, body: object, address?: string) {
  const request = new Request(`${w.issuer}/oauth/register`, { method: 'POST', body: JSON.stringify(body) })
  const response = await w.provider.fetch(request, address === undefined ? {} : { address })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const minimal = { redirect_uris: ['https://app.example.org/callback'] }

describe('redirect_uris', () => {
  const schemes = {
    allowed_redirect_schemes: [
      'cursor',
      'com.example.app',
      'javascript',
      'data',
      'file',
      'vbscript',
      'blob',
      'about',
    ],
  }

  it.each([
    'https://app.example.org',
    'https://app.example.org/cb?a=b&c=%20',
    'https://app.example.org:8443/cb',
    'https://xn--trger-kra.example/',
    'http://app.example.org/cb',
    'http://localhost/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:8080/cb',
    'cursor://anysphere.cursor-deeplink/mcp/auth',
    'com.example.app://callback/path',
  ])('passes: %s', async (uri) => {
    const { status, body } = await register(await start({}, schemes), { redirect_uris: [uri] })
    expect([status, body.redirect_uris]).toEqual([201, [uri]])
  })

  it.each<[string, string]>([
    ['relative', '/callback'],
    ['relative to the scheme', '//app.example.org/'],
    ['no URI', 'nonsense'],
    ['empty', ''],
    ['user-info', 'https://user@app.example.org/'],
    ['user-info with a password', 'https://u:p@app.example.org/'],
    ['empty user-info', 'https://@app.example.org/'],
    ['a fragment', 'https://app.example.org/#x'],
    ['an empty fragment', 'https://app.example.org/#'],
    ['a scheme and a path but no host', 'cursor:/callback'],
    ['a scheme and an opaque path', 'com.example.app:callback'],
    ['an empty host', 'cursor:///callback'],
    ['http without slashes', 'https:app.example.org'],
    ['a scheme that is not listed', 'vscode://host/path'],
    ['a listed scheme as a prefix only', 'cursorx://host/path'],
    ['a space', 'https://app.example.org/a b'],
    ['a leading space', ' https://app.example.org/'],
    ['a control character', 'https://app.example.org/\n'],
    ['a NUL', 'https://app.example.org/\0'],
    ['a backslash', 'https://app.example.org\\@evil.example/'],
    ['a bad percent escape', 'https://app.example.org/%zz'],
    ['characters beyond ASCII', 'https://träger.example/'],
    ['2049 characters', `https://app.example.org/${'x'.repeat(2049 - 24)}`],
    ...['javascript', 'data', 'file', 'vbscript', 'blob', 'about', 'JavaScript'].map(
      (scheme) => [`${scheme}, even when it is listed`, `${scheme}://host/path`] as [string, string],
    ),
    ['javascript without a host', 'javascript:alert(1)'],
  ])('rejected with 400 invalid_redirect_uri: %s', async (_, uri) => {
    const w = await start({}, schemes)
    const { status, body } = await register(w, { redirect_uris: [...minimal.redirect_uris, uri] })
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri'])
    expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
    expect(await w.storage(w.realm).clients.list({ limit: 10 })).toHaveLength(1)
  })

  it('2048 characters pass', async () => {
    const uri = 'https://app.example.org/'.padEnd(2048, 'x')
    expect((await register(await start(), { redirect_uris: [uri] })).status).toBe(201)
  })

  it.each([
    ['oidc.clients.registration.allowed_redirect_schemes', 'cursor://host/path'],
    ['oidc.clients.registration.allowed_redirect_domains', 'https://app.example.com/callback'],
  ])('the description names the URI and the key %s that would allow it', async (key, uri) => {
    const { body } = await register(await start({}, { allowed_redirect_domains: ['other.example'] }), {
      redirect_uris: [uri],
    })
    expect(body.error).toBe('invalid_redirect_uri')
    expect(body.error_description).toContain(uri)
    expect(body.error_description).toContain(key)
  })

  it.each([
    ['https://app.example.org/cb', true],
    ['http://APP.example.org/cb', true],
    ['https://app.example.org:8443/cb', true],
    ['https://sub.app.example.org/cb', false],
    ['https://example.org/cb', false],
    ['https://app.example.org.evil.example/cb', false],
    ['https://evilapp.example.org/cb', false],
    ['http://localhost/cb', false],
  ])('allowed_redirect_domains are exact hosts: %s passes: %s', async (uri, passes) => {
    const w = await start({}, { allowed_redirect_domains: ['app.example.org'] })
    expect((await register(w, { redirect_uris: [uri] })).status).toBe(passes ? 201 : 400)
  })

  it('post_logout_redirect_uris are validated like redirect_uris', async () => {
    const w = await start({}, { allowed_redirect_schemes: ['cursor'] })
    const passes = await register(w, { ...minimal, post_logout_redirect_uris: ['cursor://host/bye'] })
    expect(passes.status).toBe(201)
    const refused = await register(w, { ...minimal, post_logout_redirect_uris: ['vscode://host/bye'] })
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_client_metadata'])
    expect(refused.body.error_description).toContain('allowed_redirect_schemes')
  })

  it('URIs of real clients: a custom scheme is named in the refusal; once it is allowed, all three pass', async () => {
    const sent = {
      redirect_uris: ['http://127.0.0.1/cb', 'https://app.example.org/cb', 'cursor://host/oauth/callback'],
      application_type: 'native',
      software_id: 'x',
      scope: 'openid',
    }
    const refused = await register(await start(), sent)
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_redirect_uri'])
    expect(refused.body.error_description).toContain('cursor://host/oauth/callback')
    const w = await start({}, { allowed_redirect_schemes: ['cursor'] })
    const { body } = await register(w, sent)
    expect(body.redirect_uris).toEqual(sent.redirect_uris)
    const request = { client_id: body.client_id, redirect_uri: 'http://127.0.0.1:49152/cb' }
    expect((await w.browser().code(request)).to).toBe('http://127.0.0.1:49152/cb')
  })
})

describe('Throttle', () => {
  const statuses = async (w: World, addresses: (string | undefined)[]) => {
    const answers: number[] = []
    for (const address of addresses) answers.push((await register(w, minimal, address)).status)
    return answers
  }

  it('60 per minute and client address, then 429 with Retry-After; another minute, another 60', async () => {
    const w = await start()
    w.clock.now += 20
    expect(await statuses(w, Array(60).fill('203.0.113.7'))).toEqual(Array(60).fill(201))
    const { status, headers, body } = await register(w, minimal, '203.0.113.7')
    expect([status, body.error]).toEqual([429, 'temporarily_unavailable'])
    expect(headers.get('retry-after')).toBe('40')
    expect(await statuses(w, ['203.0.113.8'])).toEqual([201])
    w.clock.now += 40
    expect(await statuses(w, ['203.0.113.7'])).toEqual([201])
  })

  it.each([
    ['one IPv6 /64', ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:DB8::3'], [201, 201, 429]],
    [
      'one IPv6 /64, with brackets and with a zone',
      ['fe80::1', '[fe80::2]', 'fe80::3%eth0', '[fe80::4%eth0]'],
      [201, 201, 429, 429],
    ],
    ['two IPv6 /64', ['2001:db8::1', '2001:db8:0:1::1', '2001:db8:1::1'], [201, 201, 201]],
    [
      'an IPv4 address written as IPv6',
      ['203.0.113.7', '::ffff:203.0.113.7', '203.0.113.7'],
      [201, 201, 429],
    ],
    ['no address at all', [undefined, undefined, undefined], [201, 201, 429]],
  ])('counts by address, IPv6 by /64: %s', async (_, addresses, expected) => {
    expect(await statuses(await start({ oidc: { throttle: { register: 2 } } }), addresses)).toEqual(expected)
  })

  it('refused registrations count too, and forwarded headers change nothing', async () => {
    const w = await start({ oidc: { throttle: { register: 2 } } })
    const send = (forwarded: string) =>
      w.provider.fetch(
        new Request(`${w.issuer}/oauth/register`, {
          method: 'POST',
          body: '{}',
          headers: { 'x-forwarded-for': forwarded },
        }),
        { address: '203.0.113.7' },
      )
    const answers = [await send('198.51.100.1'), await send('198.51.100.2'), await send('198.51.100.3')]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 429])
  })

  it('each realm counts for itself', async () => {
    const w = await start({ routing: 'path', oidc: { throttle: { register: 1 } } })
    const other = { ...w, issuer: w.issuer.replace('acme', 'other') }
    expect([...(await statuses(w, ['203.0.113.7'])), ...(await statuses(other, ['203.0.113.7']))]).toEqual([
      201, 201,
    ])
  })
})

describe.each(['single', 'path'] as const)('When registration is disabled (realms by %s)', (routing) => {
  it('which is the default, the endpoint is not routed', async () => {
    const w = await world({ routing })
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const init = { method, ...(method === 'POST' && { body: JSON.stringify(minimal) }) }
      const response = await w.provider.fetch(new Request(`${w.issuer}/oauth/register`, init))
      expect([response.status, (await response.json()).error]).toEqual([404, 'not_found'])
    }
    const aliased = new Request('https://app.example.org/register', {
      method: 'POST',
      body: JSON.stringify(minimal),
    })
    expect((await w.provider.handle('oidc.register', aliased, { realm: w.realm })).status).toBe(404)
  })

  it('when it is enabled, GET is 405', async () => {
    const w = await start({ routing })
    const response = await w.provider.fetch(new Request(`${w.issuer}/oauth/register`))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('allowed_private_use_schemes', () => {
  const uri = 'com.example.app:/oauth2redirect'
  const post_logout_redirect_uris = ['com.example.app:/signed-out']

  it('is empty: such a URI has no host', async () => {
    const { status, body } = await register(await start(), { redirect_uris: [uri] })
    expect([status, body]).toEqual([
      400,
      {
        error: 'invalid_redirect_uri',
        error_description: 'The redirect URI com.example.app:/oauth2redirect has no host',
      },
    ])
  })

  it('a listed scheme may be registered, and gives the client its name', async () => {
    const w = await start({}, { allowed_private_use_schemes: ['com.example.app'] })
    const { status, body } = await register(w, { redirect_uris: [uri], post_logout_redirect_uris })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      redirect_uris: [uri],
      post_logout_redirect_uris,
      client_name: 'com.example.app',
    })
    const other = await register(w, { redirect_uris: ['com.example.other:/x'] })
    expect([other.status, other.body.error]).toEqual([400, 'invalid_redirect_uri'])
  })

  it.each(['javascript', 'myapp', 'Com.Example', 'com.example.app:'])('cannot list %s', async (scheme) => {
    await expect(start({}, { allowed_private_use_schemes: [scheme] })).rejects.toThrow(
      'a scheme in lower case with a dot, such as com.example.app, without the colon',
    )
  })
})

it('a client with a private-use redirect URI gets its code there, and the pages get its scheme', async () => {
  const redirect_uri = 'com.example.app:/oauth2redirect'
  const w = await world({ clients: [await client({ redirect_uris: [redirect_uri] })] })
  const browser = w.browser()
  expect(await browser.code({ redirect_uri })).toMatchObject({ to: redirect_uri, code: expect.any(String) })
  expect(w.consents.at(-1)?.redirect_host).toBe('com.example.app:')
  expect((await browser.authorize({ redirect_uri: `${redirect_uri}/` })).status).toBe(400)
})
