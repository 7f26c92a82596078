/** With any response of the issuer, a request ends in time: with 503, or with a checked document. */

import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { IssuerUnavailableError } from '../src/index.js'
import {
  AWAY,
  api,
  ISSUER,
  immediate,
  METADATA,
  request,
  seen,
  type TestIssuer,
  testIssuer,
  whenSilent,
} from './support.js'

const DISCOVERY = '/.well-known/openid-configuration'
const ask = async (server: ReturnType<typeof api>, token: string) =>
  seen(await server.authenticate(request(token)))

describe('A response of the issuer', () => {
  const answering =
    (path: string, answer: () => Response | Promise<Response>) =>
    (issuer: TestIssuer): void => {
      issuer.broken = async (url, init) => {
        if (url.endsWith(path)) return answer()
        const whole = testIssuer(issuer.issuer)
        return whole.fetch(url, init)
      }
    }
  const endless = () =>
    new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(65_536).fill(32)) }))
  const document = (changes: object) => () => Response.json({ ...testIssuer().document, ...changes })

  it.each<[string, (issuer: TestIssuer) => void, RegExp]>([
    [
      'another issuer in the document',
      answering(DISCOVERY, document({ issuer: 'https://evil.example.org' })),
      /is the document of another issuer: https:\/\/evil\.example\.org$/,
    ],
    [
      'the issuer with a slash',
      answering(DISCOVERY, document({ issuer: 'https://id.example.com/' })),
      /^https:\/\/id\.example\.com\/\.well-known\/\S+ is the document of another issuer: https:\/\/id\.example\.com\/ \(the option issuer differs in the slash at its end\)$/,
    ],
    ['no jwks_uri', answering(DISCOVERY, document({ jwks_uri: undefined })), /no jwks_uri/],
    [
      'keys over plain http',
      answering(DISCOVERY, document({ jwks_uri: 'http://id.example.com/jwks' })),
      /https/,
    ],
    ['keys on this machine', answering(DISCOVERY, document({ jwks_uri: 'http://127.0.0.1/jwks' })), /https/],
    ['keys in a file', answering(DISCOVERY, document({ jwks_uri: 'file:///etc/passwd' })), /https/],
    [
      'a redirect of the document',
      answering(DISCOVERY, () => Response.redirect('https://evil.example.org')),
      /302/,
    ],
    [
      'a redirect of the keys',
      answering('/jwks', () => Response.redirect('https://evil.example.org')),
      /302/,
    ],
    [
      'no document at all',
      answering(DISCOVERY, () => new Response(null, { status: 404 })),
      /no discovery document/,
    ],
    ['no JSON', answering('/jwks', () => new Response('<html>')), /did not answer with a JSON object/],
    ['a list', answering('/jwks', () => Response.json([])), /did not answer with a JSON object/],
    ['no keys', answering('/jwks', () => Response.json({})), /no key that could verify RS256/],
    ['an endless response', answering('/jwks', endless), /more than 262144 bytes/],
    [
      'a response that breaks off',
      answering(
        '/jwks',
        () => new Response(new ReadableStream({ pull: (c) => c.error(new Error('reset')) })),
      ),
      /cannot be reached/,
    ],
    [
      'no connection',
      answering('/jwks', () => Promise.reject(new TypeError('fetch failed'))),
      /cannot be reached/,
    ],
  ])('%s: 503, and a call of on_unavailable', async (_, breaks, reason) => {
    const issuer = testIssuer()
    breaks(issuer)
    const told: string[] = []
    const on_unavailable = (error: IssuerUnavailableError) => void told.push(error.reason)
    const server = api(issuer, { timeout_seconds: 30, on_unavailable })
    expect(await ask(server, await issuer.token())).toEqual(AWAY)
    expect(told).toEqual([expect.stringMatching(reason)])
  })

  it('the option issuer with a slash that the issuer does not have: 503, and a reason that says so', async () => {
    const issuer = testIssuer()
    const told: string[] = []
    const on_unavailable = (error: IssuerUnavailableError) => void told.push(error.reason)
    const server = api(issuer, { issuer: `${issuer.issuer}/`, on_unavailable })
    expect(await ask(server, await issuer.token({ iss: `${issuer.issuer}/` }))).toEqual(AWAY)
    expect(told).toEqual([expect.stringMatching(/\(the option issuer differs in the slash at its end\)$/)])
  })

  describe('to the first request for the metadata document', () => {
    const asked = (server: ReturnType<typeof api>) => seen(server.handle(request(undefined, METADATA)))

    it.each([
      [`${ISSUER}/`, /\(the option issuer differs in the slash at its end\)$/],
      [
        'https://id.example.com/realms/acme',
        /is the document of another issuer: https:\/\/id\.example\.com$/,
      ],
    ])(
      'shows that the option issuer %s is wrong: 503 until it is right, and a reason',
      async (option, reason) => {
        const issuer = testIssuer()
        issuer.broken = async () => Response.json(issuer.document)
        const told: [string, string][] = []
        const on_unavailable = (error: IssuerUnavailableError, { url }: Request) =>
          void told.push([error.reason, url])
        const server = api(issuer, { issuer: option, on_unavailable })
        expect(await asked(server)).toMatchObject({ 0: 200 })
        await eventually(() => expect(told).toHaveLength(1))
        expect(told).toEqual([[expect.stringMatching(reason), METADATA]])
        expect(await asked(server)).toEqual(AWAY)
        expect(server.handle(new Request(METADATA, { method: 'OPTIONS' }))?.status).toBe(204)
        // Not asked again at once.
        expect(issuer.asked).toHaveLength(1)

        issuer.document.issuer = option
        issuer.clock.now += 5
        expect(await asked(server)).toEqual(AWAY)
        await eventually(async () => expect(await asked(server)).toMatchObject({ 0: 200 }))
      },
    )

    it.each<[string, () => Response | Promise<Response>]>([
      ['is right', () => Response.json(testIssuer().document)],
      ['is away', () => Promise.reject(new TypeError('fetch failed'))],
      ['does not answer', () => new Promise(() => {})],
      ['answers 500', () => new Response(null, { status: 500 })],
    ])('the issuer %s: the document is given, then and later', async (_, answer) => {
      const issuer = testIssuer()
      issuer.broken = async () => answer()
      const told: string[] = []
      const server = api(issuer, { on_unavailable: ({ reason }) => void told.push(reason) })
      for (let time = 0; time < 3; time++) {
        expect(await asked(server)).toMatchObject({ 0: 200 })
        await immediate()
      }
      expect(new Set(issuer.asked).size).toBe(issuer.asked.length)
      expect(told).toEqual([])
    })

    it('other requests cause none of ours', async () => {
      const issuer = testIssuer()
      const server = api(issuer)
      for (const method of ['OPTIONS', 'POST']) server.handle(new Request(METADATA, { method }))
      server.handle(request())
      await immediate()
      expect(issuer.asked).toEqual([])
    })

    it('an error of on_unavailable harms nothing', async () => {
      const server = api(testIssuer(), {
        issuer: `${ISSUER}/`,
        on_unavailable: () => {
          throw new Error('the log is full')
        },
      })
      expect(await asked(server)).toMatchObject({ 0: 200 })
      await eventually(async () => expect(await asked(server)).toEqual(AWAY))
    })
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['no response', () => new Promise(() => {})],
    ['no response after the headers', () => new Response(new ReadableStream())],
  ])('%s: 503 after timeout_seconds, and a call of on_unavailable', async (_, answer) => {
    const issuer = testIssuer()
    answering('/jwks', answer)(issuer)
    const told: string[] = []
    const on_unavailable = (error: IssuerUnavailableError) => void told.push(error.reason)
    const server = api(issuer, { timeout_seconds: 3, on_unavailable })
    const token = await issuer.token()
    const silent = () => issuer.asked.includes('/jwks')
    expect(await whenSilent(() => ask(server, token), { silent, timeout_seconds: 3 })).toEqual({
      early: 'nothing',
      answer: AWAY,
    })
    expect(told).toEqual([expect.stringMatching(/within 3 s/)])
  })

  it.each([
    ['http://127.0.0.1:9000/jwks', 'accepted'],
    ['http://127.evil.example/jwks', AWAY],
    ['http://127.0.0.1.evil.example/jwks', AWAY],
    ['http://192.0.2.1/jwks', AWAY],
  ])('an issuer on a loopback host may have its keys at %s: %j', async (jwks_uri, expected) => {
    const issuer = testIssuer('http://localhost:9000')
    const asked: string[] = []
    issuer.document = { issuer: issuer.issuer, jwks_uri }
    issuer.broken = async (url) => {
      asked.push(url)
      return Response.json(url === jwks_uri ? { keys: issuer.keys } : issuer.document)
    }
    expect(await ask(api(issuer), await issuer.token())).toEqual(expected)
    expect(asked.includes(jwks_uri)).toBe(expected === 'accepted')
  })

  it('a key set without a usable key does not replace good keys', async () => {
    const issuer = testIssuer()
    const server = api(issuer, { jwks: { max_age: 60 } })
    await ask(server, await issuer.token())
    issuer.keys = []
    issuer.clock.now += 60
    expect(await ask(server, await issuer.token())).toBe('accepted')
  })

  it.each([
    ['https://id.example.com/realms/acme', '/realms/acme/.well-known/openid-configuration'],
    ['https://id.example.com/realms/acme', '/.well-known/oauth-authorization-server/realms/acme'],
    ['https://id.example.com/', '/.well-known/openid-configuration'],
    ['https://id.example.com', '/.well-known/oauth-authorization-server'],
  ])('the document of %s may be at %s', async (url, path) => {
    const issuer = testIssuer(url)
    issuer.document = { issuer: url, jwks_uri: 'https://id.example.com/jwks' }
    issuer.broken = async (asked) => {
      if (new URL(asked).pathname === path) return Response.json(issuer.document)
      return asked.endsWith('/jwks')
        ? Response.json({ keys: issuer.keys })
        : new Response(null, { status: 404 })
    }
    expect(await ask(api(issuer, { realm: 'r' }), await issuer.token())).toBe('accepted')
  })

  it('redirects are not followed, and credentials are not sent for keys', async () => {
    const issuer = testIssuer()
    const sent: RequestInit[] = []
    const fetch: typeof globalThis.fetch = (url, init = {}) => {
      sent.push(init)
      return issuer.fetch(url, init)
    }
    await ask(api(issuer, { fetch }), await issuer.token())
    expect(sent.map(({ redirect, signal }) => [redirect, signal instanceof AbortSignal])).toEqual([
      ['manual', true],
      ['manual', true],
    ])
    expect(sent.map(({ headers }) => headers)).toEqual([
      { accept: 'application/json' },
      { accept: 'application/json' },
    ])
  })
})

describe('Without on_unavailable', () => {
  const failing = (reason: string) => {
    const lines: string[] = []
    const error = vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line))
    onTestFinished(() => error.mockRestore())
    const issuer = testIssuer()
    issuer.document.issuer = reason
    // Each request reads the document again.
    const asked = async (seconds: number) => {
      issuer.clock.now += seconds
      return ask(server, await issuer.token())
    }
    const server = api(issuer)
    return { lines, asked, issuer }
  }
  const LINE =
    '@ostiary/resource-server: requests get 503. https://id.example.com/.well-known/openid-configuration is the document of another issuer: '

  it('the reason is one line on standard error, at most once a minute, also after a clock that was set back', async () => {
    const { lines, asked } = failing('https://other.example')
    for (let n = 0; n < 100; n += 1) expect(await asked(0)).toEqual(AWAY)
    expect(await asked(59)).toEqual(AWAY)
    expect(lines).toEqual([`${LINE}https://other.example`])
    expect(await asked(1)).toEqual(AWAY)
    expect(lines.length).toBe(2)
    expect(await asked(-3600)).toEqual(AWAY)
    expect(lines.length).toBe(3)
  })

  it('what an issuer sends makes no further lines, and no long one', async () => {
    const { lines, asked } = failing(`a\r\n\u001b[2J\u2028b${'x'.repeat(10_000)}`)
    await asked(0)
    expect(lines).toEqual([`${LINE}a   [2J b${'x'.repeat(1000)}`.slice(0, lines[0]?.length)])
    expect(lines[0]?.length).toBe('@ostiary/resource-server: requests get 503. '.length + 500)
  })

  it('a refused token leaves nothing: any client can send one', async () => {
    const { lines, asked, issuer } = failing(ISSUER)
    expect(await asked(0)).toBe('accepted')
    await ask(api(issuer), await issuer.token({ aud: 'https://other.example' }))
    await ask(api(issuer), 'x')
    expect(lines).toEqual([])
  })
})
